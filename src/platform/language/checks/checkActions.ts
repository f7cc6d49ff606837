import * as vscode from 'vscode';
import { createIgnoreFix } from '../../../email/checks/ignore.ts';
import { escapeMessage } from '../../ui/text.ts';
import { getRange, type CheckedMail, type MailChecks, type ShownFinding } from './mailChecks.ts';
import { mergeFixes } from './placedFindings.ts';
import type { Fix } from '../../../email/checks/model.ts';

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
