import * as vscode from 'vscode';
import { createIgnoreFix } from '../../../email/checks/ignoreFix.ts';
import { escapeMessage } from '../../ui/text.ts';
import { rangeIn, type CheckedMail, type MailChecks, type ShownFinding } from './mailChecks.ts';
import { together, type PlacedFix } from './placedFindings.ts';

/** Makes edits of several documents: as a plain edit, VS Code would save them all, and so store them on the service. */
export const applyCommand = 'mailing.checks.applyFix';

const { QuickFix } = vscode.CodeActionKind;
const fixAll = vscode.CodeActionKind.SourceFixAll.append('mailing');

/** Findings that are no rule's, and so can't be ignored. */
const withoutRule: ReadonlySet<string> = new Set(['too-large', 'not-checked']);

/** Mends what was found. */
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
    const checked = this.#checks.current(uri);
    if (!checked) return [];
    if (only && fixAll.intersects(only) && !QuickFix.intersects(only)) return mechanical(checked);
    const asked = checked.findings.filter((found) =>
      diagnostics.some((diagnostic) => isSame(diagnostic, found.diagnostic)),
    );
    return [
      ...asked.flatMap((found) =>
        found.fixes.map((fix, index) => actionOf(checked, fix, { kind: QuickFix, found, isPreferred: index === 0 })),
      ),
      ...asked.flatMap((found) => ofThisKind(checked, found)),
      ...asked.flatMap((found) => ignoring(checked, found)),
    ];
  }
}

/** Mends everything that the rule of a finding has found, where that is more than the finding itself. */
function ofThisKind(checked: CheckedMail, found: ShownFinding): vscode.CodeAction[] {
  const { rule } = found.finding;
  const fixes = checked.findings
    .filter(({ finding }) => finding.rule === rule)
    .flatMap((same) => same.fixes.slice(0, 1));
  if (fixes.length < 2) return [];
  return [actionOf(checked, together(`Fix all of this kind (rule ${rule})`, fixes), { kind: QuickFix, found })];
}

function ignoring(checked: CheckedMail, found: ShownFinding): vscode.CodeAction[] {
  const { body } = checked.texts;
  if (!body || withoutRule.has(found.finding.rule)) return [];
  return [actionOf(checked, createIgnoreFix({ body: body.text }, found.finding), { kind: QuickFix, found })];
}

/** Mends all that needs no decision. */
function mechanical(checked: CheckedMail): vscode.CodeAction[] {
  const fixes = checked.findings
    .filter(({ finding }) => finding.isMechanical)
    .flatMap((found) => found.fixes.slice(0, 1));
  return fixes.length === 0 ? [] : [actionOf(checked, together('Fix what needs no decision', fixes), { kind: fixAll })];
}

interface ActionOptions {
  readonly kind: vscode.CodeActionKind;
  readonly found?: ShownFinding;
  readonly isPreferred?: boolean;
}

function actionOf(
  { texts }: CheckedMail,
  { title, edits }: PlacedFix,
  { kind, found, isPreferred }: ActionOptions,
): vscode.CodeAction {
  const action = new vscode.CodeAction(escapeMessage(title), kind);
  if (found) action.diagnostics = [found.diagnostic];
  if (isPreferred) action.isPreferred = true;
  const edit = new vscode.WorkspaceEdit();
  for (const { part, start, end, text } of edits) {
    const place = texts[part];
    if (place) edit.replace(place.uri, rangeIn(place, { start, end }), text);
  }
  if (edit.size > 1) action.command = { title, command: applyCommand, arguments: [edit] };
  else action.edit = edit;
  return action;
}

/** VS Code gives diagnostics back as copies. */
function isSame(one: vscode.Diagnostic, other: vscode.Diagnostic): boolean {
  return one.source === other.source && one.message === other.message && one.range.isEqual(other.range);
}
