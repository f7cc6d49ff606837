import * as vscode from 'vscode';
import { showInfo, showWarning } from '../ui/messages.ts';
import type { Connections } from '../connections/connections.ts';
import { useAudienceClients, type AudienceClients } from './clients/audience.ts';
import type { LanguageFeatures } from './languageFeatures.ts';
import type { LinkResult } from './links/checkLinks.ts';
import { formatCheckStatus } from './checks/checkProviders.ts';
import type { CommandArgument } from '../ui/commands.ts';

export interface CheckResult {
  readonly errors: number;
  readonly warnings: number;
  /** Size of the sent email, if known. */
  readonly bytes?: number;
}

export interface Handlers {
  checkEmail(argument: CommandArgument): Promise<CheckResult | undefined>;
  useAudienceClients(argument: CommandArgument): Promise<AudienceClients | undefined>;
  links(argument: CommandArgument): Promise<LinkResult | undefined>;
}

export function createHandlers(connections: Connections, editor: () => Promise<LanguageFeatures>): Handlers {
  return {
    checkEmail: async (argument) => checkEmail(await editor(), argument),
    useAudienceClients: (argument) => useAudienceClients(connections, argument),
    links: async (argument) => checkLinks(await editor(), argument),
  };
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
  { links, getBodyUri }: LanguageFeatures,
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
async function checkEmail({ checks }: LanguageFeatures, argument: CommandArgument): Promise<CheckResult | undefined> {
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
