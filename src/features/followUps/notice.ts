import * as vscode from 'vscode';
import { parseUri } from '../../platform/documents/uri.ts';
import { formatTimestamp } from '../../platform/ui/format.ts';
import type { KeptMail } from './sentMails.ts';
import type { Storage } from './storage.ts';

/** Says above a mail's text whose copy it is: this machine's, and not the service's. */
export async function noticeOf(uri: vscode.Uri, storage: Storage): Promise<vscode.CodeLens[]> {
  const { connection, id, file } = parseUri(uri) ?? {};
  const mailId = /^mails\/(\d+)\./u.exec(file ?? '')?.[1];
  if (connection === undefined || id === undefined || mailId === undefined) return [];
  const kept = (await storage.kept(connection, id)).get(Number(mailId));
  if (kept === undefined) return [];
  const top = new vscode.Range(0, 0, 0, 0);
  return noticeWords(kept).map((title) => new vscode.CodeLens(top, { title, command: '' }));
}

const answerLost = 'and the answer was lost: the service may hold that one.';

/** The sentences of the notice, one for each lens. */
export function noticeWords({ sent, doubtful }: KeptMail): readonly string[] {
  return [
    `$(history) What this machine sent last, ${formatTimestamp(sent / 1000) ?? ''}. ` +
      "The service never returns a mail's text: it may hold another one.",
    ...(doubtful === undefined
      ? []
      : [`$(warning) Another text was sent ${formatTimestamp(doubtful / 1000) ?? ''}, ${answerLost}`]),
  ];
}
