import * as vscode from 'vscode';
import { formatAmount } from '../../ui/format.ts';
import type { CheckedMail, MailChecks } from './mailChecks.ts';

/** Gmail clips larger emails. */
const GMAIL_CLIP_BYTES = 102 * 1024;

/** Shows the number of problems and the size of the active email. */
export class CheckStatus implements vscode.Disposable {
  readonly #checks: MailChecks;
  readonly #item: vscode.LanguageStatusItem;
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(checks: MailChecks, selector: vscode.DocumentSelector) {
    this.#checks = checks;
    this.#item = vscode.languages.createLanguageStatusItem('mailing.checks', selector);
    this.#item.name = 'Mailing Studio';
    this.#item.command = { title: 'Show Problems', command: 'workbench.actions.view.problems' };
    this.#subscriptions = [
      this.#item,
      checks.onDidChange(() => this.#show()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#show()),
    ];
    this.#show();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #show(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const checked = uri && this.#checks.getChecked(uri);
    this.#item.text = checked ? formatCheckStatus(checked) : 'Not checked yet';
    this.#item.detail = checked ? "Problems in your recipients' mail clients" : 'Mailing Studio';
    this.#item.severity = getStatusSeverity(checked);
  }
}

/** Formats a result: "2 problems · 84 of 102 KB". Hints don't count. */
export function formatCheckStatus({ findings, bytes }: Pick<CheckedMail, 'findings' | 'bytes'>): string {
  const count = findings.filter(({ finding }) => finding.severity !== 'hint').length;
  const size = bytes === undefined ? [] : [`${Math.ceil(bytes / 1024)} of ${GMAIL_CLIP_BYTES / 1024} KB`];
  return [count === 0 ? 'No problems' : formatAmount(count, 'problem'), ...size].join(' · ');
}

function getStatusSeverity(checked: CheckedMail | undefined): vscode.LanguageStatusSeverity {
  const has = (severity: string): boolean =>
    checked?.findings.some(({ finding }) => finding.severity === severity) === true;
  const { Error, Warning, Information } = vscode.LanguageStatusSeverity;
  return has('error') ? Error : has('warning') ? Warning : Information;
}
