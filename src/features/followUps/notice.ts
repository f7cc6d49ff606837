import * as vscode from 'vscode';
import { parseUri } from '../../platform/documents/uri.ts';
import { formatTimestamp } from '../../platform/ui/format.ts';
import type { SentMail } from './sentMailStore.ts';
import type { Storage } from './storage.ts';

/** Returns code lenses for a mail's document. They say that the text comes from this machine, not from the service. */
export async function createNoticeLenses(uri: vscode.Uri, storage: Storage): Promise<vscode.CodeLens[]> {
  const { connection, id, file } = parseUri(uri) ?? {};
  const mailId = /^mails\/(\d+)\./u.exec(file ?? '')?.[1];
  if (connection === undefined || id === undefined || mailId === undefined) return [];
  const sentMail = (await storage.readSentMails(connection, id)).get(Number(mailId));
  if (sentMail === undefined) return [];
  const top = new vscode.Range(0, 0, 0, 0);
  return formatNotice(sentMail).map((title) => new vscode.CodeLens(top, { title, command: '' }));
}

const UNCONFIRMED_CLAUSE = 'and the answer was lost: the service may hold that one.';

/** Returns the notice's sentences, one per lens. */
export function formatNotice({ sent, doubtful }: SentMail): readonly string[] {
  return [
    `$(history) What this machine sent last, ${formatTimestamp(sent / 1000) ?? ''}. ` +
      "The service never returns a mail's text: it may hold another one.",
    ...(doubtful === undefined
      ? []
      : [`$(warning) Another text was sent ${formatTimestamp(doubtful / 1000) ?? ''}, ${UNCONFIRMED_CLAUSE}`]),
  ];
}
