import * as vscode from 'vscode';
import { createIgnoreFix } from '../../../email/checks/model.ts';
import { escapeMessage } from '../../ui/text.ts';
import { getRange, type CheckedMail, type MailChecks, type ShownFinding } from './mailChecks.ts';
import { mergeFixes } from './placedFindings.ts';
import type { Fix } from '../../../email/checks/model.ts';
import { formatAmount } from '../../ui/format.ts';
import type { MailWorker } from '../../worker/index.ts';
import { formatFinding } from '../tags/hoverMarkdown.ts';

/**
 * Applies edits to several documents. With a plain edit, VS Code would save them all, and so write them to the
 * service.
 */
export const APPLY_FIX_COMMAND = 'mailing.checks.applyFix';

const { QuickFix } = vscode.CodeActionKind;
const fixAll = vscode.CodeActionKind.SourceFixAll.append('mailing');

/** Findings that belong to no rule can't be ignored. */
const unignorableRules: ReadonlySet<string> = new Set(['too-large', 'not-checked']);

/** Provides quick fixes for findings. */
export class CheckActions implements vscode.CodeActionProvider {
  static readonly kinds = [QuickFix, fixAll];
  readonly #checks: MailChecks;

  constructor(checks: MailChecks) {
    this.#checks = checks;
  }

  provideCodeActions(
    { uri }: vscode.TextDocument,
    _: vscode.Range,
    { diagnostics, only }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const checked = this.#checks.getCurrent(uri);
    if (!checked) return [];
    if (only && fixAll.intersects(only) && !QuickFix.intersects(only)) return createMechanicalFixes(checked);
    const matching = checked.findings.filter((found) =>
      diagnostics.some((diagnostic) => isSameDiagnostic(diagnostic, found.diagnostic)),
    );
    return [
      ...matching.flatMap((found) =>
        (found.finding.fixes ?? []).map((fix, index) =>
          createAction(checked, fix, { kind: QuickFix, found, isPreferred: index === 0 }),
        ),
      ),
      ...matching.flatMap((found) => createFixAllOfRule(checked, found)),
      ...matching.flatMap((found) => createIgnoreActions(checked, found)),
    ];
  }
}

/** Creates a fix for all findings of a rule, if there are several. */
function createFixAllOfRule(checked: CheckedMail, found: ShownFinding): vscode.CodeAction[] {
  const { rule } = found.finding;
  const fixes = checked.findings
    .filter(({ finding }) => finding.rule === rule)
    .flatMap((same) => same.finding.fixes?.slice(0, 1) ?? []);
  if (fixes.length < 2) return [];
  return [createAction(checked, mergeFixes(`Fix all problems of rule ${rule}`, fixes), { kind: QuickFix, found })];
}

function createIgnoreActions(checked: CheckedMail, found: ShownFinding): vscode.CodeAction[] {
  const { body } = checked.texts;
  if (!body || unignorableRules.has(found.finding.rule)) return [];
  return [createAction(checked, createIgnoreFix({ body: body.text }, found.finding), { kind: QuickFix, found })];
}

/** Creates a fix for all findings that need no decision. */
function createMechanicalFixes(checked: CheckedMail): vscode.CodeAction[] {
  const fixes = checked.findings
    .filter(({ finding }) => finding.isMechanical)
    .flatMap(({ finding: { fixes = [] } }) => fixes.slice(0, 1));
  return fixes.length === 0
    ? []
    : [createAction(checked, mergeFixes('Fix all auto-fixable problems', fixes), { kind: fixAll })];
}

interface ActionOptions {
  readonly kind: vscode.CodeActionKind;
  readonly found?: ShownFinding;
  readonly isPreferred?: boolean;
}

function createAction(
  { texts }: CheckedMail,
  { title, edits }: Fix,
  { kind, found, isPreferred }: ActionOptions,
): vscode.CodeAction {
  const action = new vscode.CodeAction(escapeMessage(title), kind);
  if (found) action.diagnostics = [found.diagnostic];
  if (isPreferred) action.isPreferred = true;
  const edit = new vscode.WorkspaceEdit();
  for (const { part, start, end, text } of edits) {
    const place = texts[part];
    if (place) edit.replace(place.uri, getRange(place, { start, end }), text);
  }
  if (edit.size > 1) action.command = { title, command: APPLY_FIX_COMMAND, arguments: [edit] };
  else action.edit = edit;
  return action;
}

/** VS Code passes diagnostics as copies. */
function isSameDiagnostic(one: vscode.Diagnostic, other: vscode.Diagnostic): boolean {
  return one.source === other.source && one.message === other.message && one.range.isEqual(other.range);
}

/** Explains findings: their impact on recipients, and which clients support the feature. */
export class CheckHover implements vscode.HoverProvider {
  readonly #checks: MailChecks;
  readonly #worker: () => Promise<MailWorker>;

  constructor(checks: MailChecks, worker: () => Promise<MailWorker>) {
    this.#checks = checks;
    this.#worker = worker;
  }

  async provideHover({ uri }: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const checked = this.#checks.getCurrent(uri);
    const key = uri.toString();
    const places =
      checked?.findings.filter((found) => found.uri.toString() === key && found.diagnostic.range.contains(position)) ??
      [];
    if (!checked || places.length === 0) return undefined;
    const worker = await this.#worker();
    const { options } = checked;
    const texts = await Promise.all(
      // The innermost findings are the most specific.
      places.slice(-MAX_EXPLAINED).map(async ({ finding: { rule, url } }) => {
        const explanation = await worker.run('explain', {
          finding: { rule, ...(url !== undefined && { url }) },
          options,
        });
        return explanation ? [formatFinding(explanation, rule)] : [];
      }),
    );
    return texts.flat().length === 0
      ? undefined
      : new vscode.Hover(texts.flat().map((text) => new vscode.MarkdownString(text)));
  }
}

/** More explanations are too long for a hover. */
const MAX_EXPLAINED = 2;

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
