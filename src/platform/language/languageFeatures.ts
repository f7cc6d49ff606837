import * as vscode from 'vscode';
import {
  APPLY_FIX_COMMAND,
  CheckActions,
  CheckHover,
  CheckStatus,
  formatCheckStatus,
} from './checks/checkProviders.ts';
import { useAudienceClients } from './clients/audience.ts';
import { LinkChecks, type LinkResult } from './links/checkLinks.ts';
import type { CommandArgument } from '../ui/commands.ts';
import { showInfo, showWarning } from '../ui/messages.ts';
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

/** Creates the language features of email documents, and the handlers of the commands. */
export function createLanguageFeatures(services: LanguageServices) {
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
  const handlers = {
    checkEmail: (argument: CommandArgument) => checkEmail(checks, argument),
    useAudienceClients: (argument: CommandArgument) => useAudienceClients(connections, argument),
    links: (argument: CommandArgument) => checkLinks(links, getBodyUri, argument),
  };
  return { checks, handlers, dispose: () => all.dispose() };
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

export interface CheckResult {
  readonly errors: number;
  readonly warnings: number;
  /** Size of the sent email, if known. */
  readonly bytes?: number;
}

/**
 * Returns the document that a command targets: the argument's, or the active editor's. Undefined if it isn't an email.
 */
async function findDocument(argument: CommandArgument): Promise<vscode.TextDocument | undefined> {
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const document = uri && (await vscode.workspace.openTextDocument(uri));
  return document && (document.uri.scheme === 'mailing' || document.languageId === 'html') ? document : undefined;
}

/** Checks the links of an email's body after the user has agreed to its hosts. */
async function checkLinks(
  links: LinkChecks,
  getBodyUri: (uri: vscode.Uri) => vscode.Uri,
  argument: CommandArgument,
): Promise<LinkResult | undefined> {
  const document = await findDocument(argument);
  if (!document) {
    void showWarning('To check links, open the HTML of an email.');
    return undefined;
  }
  return links.check(await vscode.workspace.openTextDocument(getBodyUri(document.uri)));
}

/** Checks the email of a document, which may be a local HTML file, and shows the findings. */
async function checkEmail(checks: MailChecks, argument: CommandArgument): Promise<CheckResult | undefined> {
  const document = await findDocument(argument);
  if (!document) {
    void showWarning('To check an email, open its HTML.');
    return undefined;
  }
  const checked = await checks.checkNow(document.uri);
  if (!checked) {
    void showWarning("Couldn't check the email: it changed during the check, or it isn't an email. Try again.");
    return undefined;
  }
  const count = (severity: string): number =>
    checked.findings.filter(({ finding }) => finding.severity === severity).length;
  const { bytes } = checked;
  if (checked.findings.length === 0) void showInfo(`${formatCheckStatus(checked)}.`);
  else await vscode.commands.executeCommand('workbench.actions.view.problems');
  return { errors: count('error'), warnings: count('warning'), ...(bytes !== undefined && { bytes }) };
}
