import * as vscode from 'vscode';
import type { DocumentKind } from '../../platform/documents/model.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import type { FollowUpRecord } from './documents.ts';
import { FollowUps } from './followUps.ts';
import { createHandlers, createOperations } from './handlers.ts';
import { FollowUpFormSession } from './host/session.ts';
import { createMailReferenceProvider } from './mailReferences.ts';
import { createNoticeLenses } from './notice.ts';
import { SentMailStore } from './sentMailStore.ts';
import { Storage } from './storage.ts';
import { followUpTree } from './tree.ts';

/** Creates what activation doesn't need. */
export function openFollowUps(services: ExtensionServices, kind: DocumentKind<FollowUpRecord>) {
  const { connections, context } = services;
  const sentMails = new SentMailStore(vscode.Uri.joinPath(context.globalStorageUri, 'sent-mails').fsPath);
  const storage = new Storage(sentMails, (id) => connections.get(id));
  const followUps = new FollowUps(services, kind, sentMails);
  return {
    storage,
    tree: followUpTree,
    handlers: createHandlers(followUps),
    operations: createOperations(followUps),
    findReferences: createMailReferenceProvider(storage),
    getNotice: (uri: vscode.Uri) => createNoticeLenses(uri, storage),
    openForm: (document: vscode.TextDocument, panel: vscode.WebviewPanel) =>
      new FollowUpFormSession(document, panel, services, storage),
  };
}
