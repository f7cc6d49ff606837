import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { Debouncer } from '../../ui/async.ts';
import type { CommandArgument } from '../../ui/commands.ts';
import { getActiveEditorUris } from '../../documents/unsaved.ts';
import type { Previews } from './activeEditorPreviews.ts';
import { LiveEmail } from './liveEmail.ts';
import { getSending } from './sent.ts';
import { sentScheme, type PreviewSource } from './source.ts';

/** Delay after a change before the document of the sent version is composed again. */
const SENT_DOCUMENT_DEBOUNCE_MS = 300;

/** Provides read-only documents of the sent versions of emails, updated while they are open. Their URIs: `mailing-sent:/Welcome.html?<body URI>`.
 * `changes` fires when a document's content changed. */
export function createSentDocuments(previews: Previews, changes: vscode.EventEmitter<vscode.Uri>) {
  const emails = new Map<string, { readonly email: LiveEmail; readonly debouncer: Debouncer }>();
  const closeListener = vscode.workspace.onDidCloseTextDocument(({ uri }) => close(uri.toString()));

  /** Compares a body with its sent version, for the given document, the active editor or the current preview. Returns both URIs. */
  async function compare(argument: CommandArgument) {
    const source = await findSource(argument);
    if (!source) throw new Error(t('Open an HTML file, template, or campaign to compare it with its sent version.'));
    const { title, body } = source;
    const path = `/${title.replace(/\.html?$/i, '')}.html`;
    const sent = vscode.Uri.from({ scheme: sentScheme, path, query: body.toString() });
    await vscode.commands.executeCommand('vscode.diff', body, sent, t`${title}: authored ↔ as sent`);
    return { authored: body, sent };
  }

  async function provide(uri: vscode.Uri) {
    const { services } = previews;
    const source = await previews.resolve(vscode.Uri.parse(uri.query, true));
    if (!source) return `${t("Couldn't find the document of this email.")}\n`;
    const email = await open(uri, source);
    if (email.failure !== undefined) return `${email.failure}\n`;
    return (await services.compose(email.email, (await getSending(email, services)).options)).html;
  }

  function dispose() {
    closeListener.dispose();
    for (const key of emails.keys()) close(key);
  }

  async function findSource(argument: CommandArgument) {
    for (const document of argument instanceof vscode.Uri ? [argument] : getActiveEditorUris()) {
      const source = await previews.resolve(document);
      if (source) return source;
    }
    return argument instanceof vscode.Uri ? undefined : previews.getCurrent()?.source;
  }

  async function open(uri: vscode.Uri, source: PreviewSource) {
    const key = uri.toString();
    const existing = emails.get(key)?.email;
    if (existing?.isLoaded) return existing;
    close(key);
    const debouncer = new Debouncer(SENT_DOCUMENT_DEBOUNCE_MS);
    const email = new LiveEmail(source, previews.services.log, () => debouncer.run(() => changes.fire(uri)));
    emails.set(key, { email, debouncer });
    await email.open();
    return email;
  }

  function close(key: string) {
    emails.get(key)?.email.dispose();
    emails.get(key)?.debouncer.dispose();
    emails.delete(key);
  }

  return { compare, provide, dispose };
}
