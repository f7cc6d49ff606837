import * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import type { Previews } from '../preview/host/previews.ts';
import { Findings } from './diagnostics.ts';
import { tagFindings } from './tagFindings.ts';
import { TagContext } from './tagContext.ts';
import { TagHints, TagProviders } from './tagProviders.ts';

/** The documents of e-mails: bodies, and details with subject and preheader. */
const selector: vscode.DocumentSelector = ['html', 'json'].map((language) => ({ scheme: 'mailing', language }));

/** Sets up what editors of e-mails know. */
export function openEditor(connections: Connections, previews: Previews): vscode.Disposable {
  const context = new TagContext(connections, (uri) => previews.personOf(uri));
  const providers = new TagProviders(context);
  const hints = new TagHints(context);
  const findings = new Findings(selector, [
    { find: (document) => tagFindings(context.texts(document), context.language(document.uri), context.fields(document.uri)) },
  ]);
  const { languages } = vscode;
  return vscode.Disposable.from(
    findings,
    hints,
    languages.registerCompletionItemProvider(selector, providers, '{', ':', '|', '/'),
    languages.registerHoverProvider(selector, providers),
    languages.registerDocumentHighlightProvider(selector, providers),
    languages.registerLinkedEditingRangeProvider(selector, providers),
    languages.registerRenameProvider(selector, providers),
    languages.registerFoldingRangeProvider(selector, providers),
    languages.registerInlayHintsProvider(selector, hints),
    previews.onDidChangePerson(() => hints.refresh()),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('mailing.tags') && hints.refresh()),
    connections.onDidChange(({ id }) => {
      if (id === undefined) findings.refresh();
    }),
  );
}
