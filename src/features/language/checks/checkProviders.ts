import * as vscode from 'vscode';
import { createIgnoreFix, type Fix, type Severity } from '../../../email/checks/model.ts';
import { formatKilobytes, GMAIL_CLIP_BYTES } from '../../../email/compose/compose.ts';
import { listPossibleFields } from '../../../email/tags/index.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import type { TagsSetting } from '../../../platform/connections/model.ts';
import type { ExtensionServices } from '../../services.ts';
import type { MailWorker } from '../../../platform/worker/index.ts';
import { formatNumber, plural, t } from '../../../l10n.ts';
import { escapeMessage } from '../../../service/text.ts';
import { createHoverContent } from '../docs.ts';
import { formatFinding } from '../tags/hoverMarkdown.ts';
import { findTagTextAt, getTagTexts } from '../tags/tagTexts.ts';
import { getCustomFields, getTagLanguage } from './checkOptions.ts';
import { getRange, type CheckedMail, type MailChecks, type ShownFinding } from './mailChecks.ts';
import { mergeFixes } from '../../../sync/mapping/placedFindings.ts';

/**
 * Applies edits to several documents. With a plain edit, VS Code would save them all, and so write them to the
 * service.
 */
const APPLY_FIX_COMMAND = 'mailing.checks.applyFix';

/** Adds a tag of an add-on to the setting of a connection. */
const ADD_TAG_COMMAND = 'mailing.checks.addTag';

/** Stores the namekey of a custom field, for this window. */
const SET_NAMEKEY_COMMAND = 'mailing.checks.setNamekey';

const { QuickFix } = vscode.CodeActionKind;
const fixAll = vscode.CodeActionKind.SourceFixAll.append('mailing');

/** Findings that belong to no rule can't be ignored. */
const unignorableRules: ReadonlySet<string> = new Set(['too-large', 'not-checked']);

/** Checked documents: all of a service, and local HTML files on request. */
const checkedDocuments: vscode.DocumentSelector = [{ scheme: 'mailing' }, { language: 'html' }];

/** Registers the quick fixes, hovers and status of findings. */
export function registerCheckProviders(
  checks: MailChecks,
  { connections, worker }: Pick<ExtensionServices, 'connections' | 'worker'>,
): vscode.Disposable {
  const { commands, languages, window } = vscode;
  const item = languages.createLanguageStatusItem('mailing.checks', checkedDocuments);
  item.name = 'Mailing Studio';
  item.command = { title: t('Show Problems'), command: 'workbench.actions.view.problems' };
  const showStatus = () => {
    const uri = window.activeTextEditor?.document.uri;
    const checked = uri && checks.getChecked(uri);
    item.text = checked ? formatCheckStatus(checked) : t('Not checked yet');
    item.detail = checked ? t("Problems in your recipients' mail clients") : 'Mailing Studio';
    const { Error, Warning, Information } = vscode.LanguageStatusSeverity;
    const has = (severity: Severity) => selectFindings(checked, severity).length > 0;
    item.severity = has('error') ? Error : has('warning') ? Warning : Information;
  };
  showStatus();
  return vscode.Disposable.from(
    item,
    checks.onDidChange(showStatus),
    window.onDidChangeActiveTextEditor(showStatus),
    languages.registerHoverProvider(checkedDocuments, {
      provideHover: ({ uri }, position) => explainFindings(checks, worker, uri, position),
    }),
    languages.registerCodeActionsProvider(
      checkedDocuments,
      {
        provideCodeActions: (document, { start }, context) => [
          ...createActions(checks.getCurrent(document.uri), context),
          ...createTagActions(connections, document, context),
          ...createFieldActions(connections, document, start),
        ],
      },
      { providedCodeActionKinds: [QuickFix, fixAll] },
    ),
    commands.registerCommand(APPLY_FIX_COMMAND, (edit: vscode.WorkspaceEdit) => vscode.workspace.applyEdit(edit)),
    commands.registerCommand(ADD_TAG_COMMAND, (id: string, tags: TagsSetting) => connections.edit(id, { tags })),
    commands.registerCommand(SET_NAMEKEY_COMMAND, (id: string, label: string, namekey: string) => {
      connections.getNamekeys(id).set(label, namekey);
      checks.refresh();
    }),
  );
}

/** Returns the findings of a severity. */
export const selectFindings = (checked: CheckedMail | undefined, severity: Severity): readonly ShownFinding[] =>
  checked?.findings.filter(({ finding }) => finding.severity === severity) ?? [];

/** Formats a result: "2 problems · 84 of 102 KB · images (3 of 4): 120 KB". Hints don't count. */
export function formatCheckStatus(checked: CheckedMail): string {
  const { findings, bytes, imageSizes } = checked;
  const count = findings.length - selectFindings(checked, 'hint').length;
  const problems = count === 0 ? t('No problems') : plural(count, t('{0} problem'), t('{0} problems'));
  if (bytes === undefined) return problems;
  const size = t({
    message: '{0} of {1} KB',
    args: [formatNumber(Math.ceil(bytes / 1024)), GMAIL_CLIP_BYTES / 1024],
    comment: 'Size of an email, and the size that Gmail shows',
  });
  const known = imageSizes.filter((each) => each > 0);
  if (known.length === 0) return `${problems} · ${size}`;
  const weight = t({
    message: 'images ({0} of {1}): {2}',
    args: [known.length, imageSizes.length, formatKilobytes(known.reduce((sum, each) => sum + each))],
    comment: 'Number of images of which the size is known, number of all images, and the size',
  });
  return `${problems} · ${size} · ${weight}`;
}

function createActions(checked: CheckedMail | undefined, { diagnostics, only }: vscode.CodeActionContext) {
  if (!checked) return [];
  const { findings, texts } = checked;
  const getFirstFixes = (isSelected: (found: ShownFinding) => boolean | undefined) =>
    findings.filter(isSelected).flatMap(({ finding: { fixes = [] } }) => fixes.slice(0, 1));
  if (only && fixAll.intersects(only) && !QuickFix.intersects(only)) {
    const fixes = getFirstFixes(({ finding }) => finding.isMechanical);
    return fixes.length === 0 ? [] : [createAction(checked, mergeFixes(t('Fix all auto-fixable problems'), fixes))];
  }
  const matching = findings.filter(({ diagnostic }) => diagnostics.some((each) => isSameDiagnostic(each, diagnostic)));
  return [
    ...matching.flatMap((found) =>
      (found.finding.fixes ?? []).map((fix, index) =>
        Object.assign(createAction(checked, fix, found), { isPreferred: index === 0 }),
      ),
    ),
    ...matching.flatMap((found) => {
      const { name } = found.finding;
      const fixes = getFirstFixes(({ finding }) => finding.name === name);
      const merged = mergeFixes(t`Fix all problems of rule "${name}"`, fixes);
      return fixes.length < 2 ? [] : [createAction(checked, merged, found)];
    }),
    ...matching.flatMap((found) =>
      texts.body && !unignorableRules.has(found.finding.rule)
        ? [createAction(checked, createIgnoreFix({ body: texts.body.text }, found.finding), found)]
        : [],
    ),
  ];
}

/** Creates a quick fix for a finding, or an action that fixes all. */
function createAction({ texts }: CheckedMail, { title, edits }: Fix, found?: ShownFinding) {
  const action = new vscode.CodeAction(escapeMessage(title), found ? QuickFix : fixAll);
  if (found) action.diagnostics = [found.diagnostic];
  const edit = new vscode.WorkspaceEdit();
  for (const { part, start, end, text } of edits) {
    const place = texts[part];
    if (place) edit.replace(place.uri, getRange(place, { start, end }), text);
  }
  if (edit.size > 1) action.command = { title, command: APPLY_FIX_COMMAND, arguments: [edit] };
  else action.edit = edit;
  return action;
}

/** Creates quick fixes that add a tag of an unlisted add-on to the connection's tags. */
function createTagActions(connections: Connections, document: vscode.TextDocument, context: vscode.CodeActionContext) {
  const connection = connections.get(document.uri.authority);
  return context.diagnostics.flatMap((diagnostic) => {
    const name =
      diagnostic.message.includes('`tags`') && /[a-z_][\w.-]*/i.exec(document.getText(diagnostic.range))?.[0];
    if (!connection || !name) return [];
    const title = t`Add "${name}" to the tags of "${connection.name}"`;
    const families = { ...(typeof connection.tags === 'object' && connection.tags.families), [name]: {} };
    const tags: TagsSetting = { base: 'acymailing', families };
    const command = { title, command: ADD_TAG_COMMAND, arguments: [connection.id, tags] };
    return Object.assign(new vscode.CodeAction(escapeMessage(title), QuickFix), { command, diagnostics: [diagnostic] });
  });
}

/** Creates quick fixes that tell which custom field a tag stands for: services report labels only. */
function createFieldActions(connections: Connections, document: vscode.TextDocument, position: vscode.Position) {
  const { uri, languageId } = document;
  const fields = getCustomFields(connections, uri);
  if (fields.length === 0) return [];
  const language = getTagLanguage(connections, uri);
  const offset = document.offsetAt(position);
  const text = findTagTextAt(getTagTexts(languageId, document.getText(), language), offset);
  const at = text?.fromDocument(offset) ?? 0;
  const tag = text?.getTags().find(({ start, end }) => start <= at && at <= end);
  if (!tag) return [];
  return listPossibleFields(tag, language, fields).map(({ label }) => {
    const title = t`"${tag.id}" is the field "${label}"`;
    const command = { title, command: SET_NAMEKEY_COMMAND, arguments: [uri.authority, label, tag.id] };
    return Object.assign(new vscode.CodeAction(escapeMessage(title), QuickFix), { command });
  });
}

/** VS Code passes diagnostics as copies. */
function isSameDiagnostic(one: vscode.Diagnostic, other: vscode.Diagnostic) {
  return one.source === other.source && one.message === other.message && one.range.isEqual(other.range);
}

/** More explanations are too long for a hover. */
const MAX_EXPLAINED = 2;

/** Explains the findings at a position: their impact on recipients, and which clients support the feature. */
async function explainFindings(
  checks: MailChecks,
  loadWorker: () => Promise<MailWorker>,
  uri: vscode.Uri,
  position: vscode.Position,
) {
  const { findings, options = {} } = checks.getCurrent(uri) ?? {};
  const places = findings?.filter(
    (found) => found.uri.toString() === uri.toString() && found.diagnostic.range.contains(position),
  );
  if (!places?.length) return undefined;
  const worker = await loadWorker();
  const texts = await Promise.all(
    // The innermost findings are the most specific.
    places.slice(-MAX_EXPLAINED).map(async ({ finding: { rule, url } }) => {
      const finding = { rule, ...(url !== undefined && { url }) };
      const explanation = await worker.run('explain', { finding, options });
      return explanation ? [createHoverContent(formatFinding(explanation, rule))] : [];
    }),
  );
  return texts.flat().length === 0 ? undefined : new vscode.Hover(texts.flat());
}
