import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import type { MailProblems } from '../preview/source.ts';
import type { ExtensionServices } from '../services.ts';
import type { CommandArgument, CommandHandlers } from '../../ui/commands.ts';
import { showInfo, showWarning } from '../../ui/messages.ts';
import { formatCheckStatus, registerCheckProviders, selectFindings } from './checks/checkProviders.ts';
import { checkWorkspace, createTasks } from './checks/checkWorkspace.ts';
import { MailChecks, type CheckedMail } from './checks/mailChecks.ts';
import { createReviewReport } from './checks/reviewReport.ts';
import { useAudienceClients } from './clients/audience.ts';
import { registerDocs, showDocs } from './docs.ts';
import { registerImageHovers } from './imageHovers.ts';
import { registerInsertions } from './pasteAndDrop.ts';
import { LinkChecks } from './links/checkLinks.ts';
import { findMailDocuments } from './mailDocuments.ts';
import { outlookHandlers, registerOutlookProviders } from './outlook/outlookProviders.ts';
import { registerTagProviders } from './tags/tagProviders.ts';

/** Creates the language features of email documents, and the handlers of the commands. */
export function createLanguageFeatures(services: ExtensionServices) {
  const { connections, context, documents, previews, worker } = services;
  const links = new LinkChecks(worker);
  const checks = new MailChecks(services, links.imageSizes);
  const all = vscode.Disposable.from(
    checks,
    links,
    registerCheckProviders(checks, services),
    registerTagProviders(services),
    registerImageHovers(worker, links.imageSizes),
    registerInsertions(services),
    registerOutlookProviders(),
    registerDocs(context.extensionUri),
    previews.setProblemSource({
      onDidChange: checks.onDidChange,
      getProblems: (body) => getProblems(checks.getChecked(body)),
    }),
    connections.onDidChange(({ id }) => id === undefined && checks.refresh()),
  );
  const handlers = {
    ...outlookHandlers,
    'mailing.accessibilityHelp': () => showDocs(context.extensionUri, 'accessibility'),
    'mailing.checkEmail': (argument) => checkEmail(checks, argument),
    'mailing.checkWorkspace': (argument) => checkWorkspace(checks, argument),
    'mailing.createReviewReport': (argument, selected) => createReviewReport(services, argument, selected),
    'mailing.checks.useAudienceClients': (argument) => useAudienceClients(connections, argument),
    /** Checks the links of an email's body after the user has agreed to its hosts. */
    async 'mailing.checks.links'(argument) {
      const uri = (await findDocument(argument, t('To check links, open the HTML of an email.')))?.uri;
      const body = uri && (findMailDocuments(documents, uri)?.uris.body ?? uri);
      const result = body && (await links.check(await vscode.workspace.openTextDocument(body)));
      // Sizes of images may be known now.
      checks.refresh();
      return result;
    },
  } satisfies CommandHandlers;
  return { handlers, createTasks, dispose: () => all.dispose() };
}

/** Returns what a preview shows: errors and warnings only. */
function getProblems(checked: CheckedMail | undefined): MailProblems | undefined {
  const [errors, warnings] = [selectFindings(checked, 'error'), selectFindings(checked, 'warning')];
  const [first] = [...errors, ...warnings];
  return (
    first && {
      errors: errors.length,
      warnings: warnings.length,
      first: new vscode.Location(first.uri, first.diagnostic.range),
    }
  );
}

/**
 * Returns the document that a command targets: the argument's, or the active editor's. Shows a warning if it isn't an
 * email.
 */
async function findDocument(argument: CommandArgument, warning: string) {
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const document = uri && (await vscode.workspace.openTextDocument(uri));
  if (document && (document.uri.scheme === 'mailing' || document.languageId === 'html')) return document;
  void showWarning(warning);
  return undefined;
}

/** Checks the email of a document, which may be a local HTML file, and shows the findings. */
async function checkEmail(checks: MailChecks, argument: CommandArgument) {
  const document = await findDocument(argument, t('To check an email, open its HTML.'));
  if (!document) return undefined;
  const checked = await checks.checkNow(document.uri);
  if (!checked) {
    void showWarning(t("Couldn't check the email: it changed during the check, or it isn't an email. Try again."));
    return undefined;
  }
  const { findings, bytes } = checked;
  if (findings.length === 0) void showInfo(formatCheckStatus(checked));
  else await vscode.commands.executeCommand('workbench.actions.view.problems');
  const [errors, warnings] = [selectFindings(checked, 'error'), selectFindings(checked, 'warning')];
  return { errors: errors.length, warnings: warnings.length, ...(bytes !== undefined && { bytes }) };
}
