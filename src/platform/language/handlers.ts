import * as vscode from 'vscode';
import { showInfo, showWarning } from '../ui/messages.ts';
import type { Connections } from '../connections/connections.ts';
import { useAudienceClients, type AudienceClients } from './clients/audience.ts';
import type { LanguageFeatures } from './languageFeatures.ts';
import type { LinkResult } from './links/checkLinks.ts';
import { formatCheckStatus } from './checks/checkStatus.ts';
import type { CommandArgument } from '../ui/commands.ts';

/** What a check has found of a document's email. */
export interface CheckResult {
  readonly errors: number;
  readonly warnings: number;
  /** As it is sent, where that is known. */
  readonly bytes?: number;
}

/** What each command does. */
export interface Handlers {
  checkEmail(argument: CommandArgument): Promise<CheckResult | undefined>;
  useAudienceClients(argument: CommandArgument): Promise<AudienceClients | undefined>;
  checkLinks(argument: CommandArgument): Promise<LinkResult | undefined>;
}

export function createHandlers(connections: Connections, editor: () => Promise<LanguageFeatures>): Handlers {
  return {
    checkEmail: async (argument) => checkEmail(await editor(), argument),
    useAudienceClients: (argument) => useAudienceClients(connections, argument),
    checkLinks: async (argument) => checkLinks(await editor(), argument),
  };
}

/** The document that a command is about: the argument's, or that of the active editor. Undefined where it is no email. */
async function findDocument(argument: CommandArgument): Promise<vscode.TextDocument | undefined> {
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const document = uri && (await vscode.workspace.openTextDocument(uri));
  return document && (document.uri.scheme === 'mailing' || document.languageId === 'html') ? document : undefined;
}

/** Looks up what the body of an email leads to, after its hosts were agreed to. */
async function checkLinks(
  { links, getBodyUri }: LanguageFeatures,
  argument: CommandArgument,
): Promise<LinkResult | undefined> {
  const document = await findDocument(argument);
  if (!document) {
    void showWarning('Open the HTML of an email to check its links.');
    return undefined;
  }
  return links.check(await vscode.workspace.openTextDocument(getBodyUri(document.uri)));
}

/** Checks the email of a document, a local HTML file too, and shows what was found. */
async function checkEmail({ checks }: LanguageFeatures, argument: CommandArgument): Promise<CheckResult | undefined> {
  const document = await findDocument(argument);
  if (!document) {
    void showWarning('Open the HTML of an email to check it.');
    return undefined;
  }
  const checked = await checks.checkNow(document.uri);
  if (!checked) {
    void showWarning('It could not be checked: its text changed meanwhile, or it is no email. Try it again.');
    return undefined;
  }
  const count = (severity: string): number =>
    checked.findings.filter(({ finding }) => finding.severity === severity).length;
  const { bytes } = checked;
  if (checked.findings.length === 0) void showInfo(`Nothing was found. ${formatCheckStatus(checked)}.`);
  else await vscode.commands.executeCommand('workbench.actions.view.problems');
  return { errors: count('error'), warnings: count('warning'), ...(bytes !== undefined && { bytes }) };
}
