import type * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import type { Documents } from '../documents/documents.ts';
import type { Previews } from '../preview/host/activeEditorPreviews.ts';
import type { CommandHost } from '../ui/commands.ts';
import type { MailWorker } from '../worker/index.ts';

export interface LanguageServices extends CommandHost {
  readonly context: Pick<vscode.ExtensionContext, 'subscriptions'>;
  readonly connections: Connections;
  readonly documents: Documents;
  readonly previews: Previews;
  readonly worker: () => Promise<MailWorker>;
}
