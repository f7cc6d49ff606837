import * as vscode from 'vscode';
import { APPLY_FIX_COMMAND, CheckActions, CheckHover, CheckStatus } from './checks/checkProviders.ts';
import { LinkChecks } from './links/checkLinks.ts';
import { MailChecks, type CheckedMail } from './checks/mailChecks.ts';
import type { MailProblems } from '../preview/host/source.ts';
import { findMailDocuments } from './mailDocuments.ts';
import type { LanguageServices } from './services.ts';
import { TagContext } from './tags/tagContext.ts';
import { TagHints, TagProviders } from './tags/tagProviders.ts';

/** Documents with tags: bodies, and details with subject and preheader. */
const taggedDocuments: vscode.DocumentSelector = ['html', 'json'].map((language) => ({ scheme: 'mailing', language }));
/** Checked documents: all of a service, and local HTML files on request. */
const checkedDocuments: vscode.DocumentSelector = [{ scheme: 'mailing' }, { language: 'html' }];

/** Language features of email documents. */
export interface LanguageFeatures extends vscode.Disposable {
  readonly checks: MailChecks;
  readonly links: LinkChecks;
  /** Returns the body document of the email that contains a document. */
  getBodyUri(uri: vscode.Uri): vscode.Uri;
}

export function createLanguageFeatures(services: LanguageServices): LanguageFeatures {
  const { connections, previews } = services;
  const context = new TagContext(connections, (uri) => previews.getRendering(uri));
  const providers = new TagProviders(context);
  const hints = new TagHints(context);
  const checks = new MailChecks(services, context);
  const links = new LinkChecks(services.worker);
  const { languages } = vscode;
  const all = vscode.Disposable.from(
    checks,
    links,
    new CheckStatus(checks, checkedDocuments),
    languages.registerHoverProvider(checkedDocuments, new CheckHover(checks, services.worker)),
    languages.registerCodeActionsProvider(checkedDocuments, new CheckActions(checks), {
      providedCodeActionKinds: CheckActions.kinds,
    }),
    vscode.commands.registerCommand(APPLY_FIX_COMMAND, (edit: vscode.WorkspaceEdit) =>
      vscode.workspace.applyEdit(edit),
    ),
    hints,
    languages.registerCompletionItemProvider(taggedDocuments, providers, '{', ':', '|', '/'),
    languages.registerHoverProvider(taggedDocuments, providers),
    languages.registerDocumentHighlightProvider(taggedDocuments, providers),
    languages.registerLinkedEditingRangeProvider(taggedDocuments, providers),
    languages.registerRenameProvider(taggedDocuments, providers),
    languages.registerFoldingRangeProvider(taggedDocuments, providers),
    languages.registerInlayHintsProvider(taggedDocuments, hints),
    previews.setProblemSource({
      onDidChange: checks.onDidChange,
      getProblems: (body) => getProblems(checks.getChecked(body)),
    }),
    previews.onDidChangePerson(() => hints.refresh()),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('mailing.tags') && hints.refresh()),
    connections.onDidChange(({ id }) => {
      if (id === undefined) checks.refresh();
    }),
  );
  const getBodyUri = (uri: vscode.Uri): vscode.Uri => findMailDocuments(services.documents, uri)?.uris.body ?? uri;
  return { checks, links, getBodyUri, dispose: () => all.dispose() };
}

/** Returns what a preview shows: errors and warnings only. */
function getProblems(checked: CheckedMail | undefined): MailProblems | undefined {
  const of = (severity: string): CheckedMail['findings'] =>
    checked?.findings.filter(({ finding }) => finding.severity === severity) ?? [];
  const [errors, warnings] = [of('error'), of('warning')];
  const [first] = [...errors, ...warnings];
  return (
    first && {
      errors: errors.length,
      warnings: warnings.length,
      first: new vscode.Location(first.uri, first.diagnostic.range),
    }
  );
}
