import { join } from 'node:path';
import * as vscode from 'vscode';
import { formatNumber, plural, t } from '../../../l10n.ts';
import type { CommandArgument } from '../../../ui/commands.ts';
import { showInfo, showWarning, withProgress } from '../../../ui/messages.ts';
import { findWorkspaceMails } from '../mailDocuments.ts';
import type { MailChecks } from './mailChecks.ts';

/**
 * Checks the emails of the workspace and shows their findings: all mapped templates, and the files that `mailing.json` names.
 * @param argument a glob to use instead. If there is none and `mailing.json` names no emails, prompts for it
 */
export async function checkWorkspace(checks: MailChecks, argument: CommandArgument) {
  let mails = await findWorkspaceMails(typeof argument === 'string' ? argument : undefined);
  if (mails.size === 0 && typeof argument !== 'string') {
    const prompt = t('Files to check. To keep them, set "files" of "checks" in mailing.json.');
    const title = t('Check Workspace');
    const glob = await vscode.window.showInputBox({ title, prompt, value: '**/*.html', ignoreFocusOut: true });
    if (glob === undefined || glob === '') return undefined;
    mails = await findWorkspaceMails(glob);
  }
  const { size } = mails;
  const results = await withProgress(t('Checking emails'), (signal, report) =>
    checks.checkWorkspace(mails, signal, (count) =>
      report(t('{0} of {1}', formatNumber(count), formatNumber(size)), 100 / size),
    ),
  );
  if (size === 0) {
    void showWarning(t('No emails found in the workspace.'));
    return undefined;
  }
  const missing = results.filter((checked) => checked === undefined).length;
  const findings = results.flatMap((checked) => checked?.findings ?? []);
  if (missing > 0)
    void showWarning(
      plural(
        missing,
        t("Couldn't check {0} email. The log has the reason."),
        t("Couldn't check {0} emails. The log has the reasons."),
      ),
    );
  if (findings.length > 0) await vscode.commands.executeCommand('workbench.actions.view.problems');
  else if (missing === 0)
    void showInfo(plural(results.length, t('No problems in {0} email.'), t('No problems in {0} emails.')));
  const count = (severity: string) => findings.filter(({ finding }) => finding.severity === severity).length;
  return { emails: results.length - missing, errors: count('error'), warnings: count('warning') };
}

/** Returns a task for each workspace folder with the `mailing` command. */
export async function createTasks(): Promise<vscode.Task[]> {
  const path = ['node_modules', '.bin', 'mailing'] as const;
  const tasks = (vscode.workspace.workspaceFolders ?? []).map(async (folder) => {
    const command = vscode.Uri.joinPath(folder.uri, ...path);
    const isInstalled = await vscode.workspace.fs.stat(command).then(
      () => true,
      () => false,
    );
    const execution = new vscode.ShellExecution(join(...path), ['check']);
    return isInstalled ? [new vscode.Task({ type: 'mailing' }, folder, 'check', 'mailing', execution, '$mailing')] : [];
  });
  return (await Promise.all(tasks)).flat();
}
