import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RecordKey } from '../../platform/connections/model.ts';
import type { AnyPart, AnyRecord } from '../../platform/documents/model.ts';
import { findRecordDocuments, getActiveEditorUris } from '../../platform/documents/unsaved.ts';
import type { CommandArgument } from '../../ui/commands.ts';
import { exactTimeFormat } from '../../service/format.ts';
import { showInfo } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import { contentHash, findDifferent, type FieldTexts } from '../../sync/fields/fields.ts';
import { compareRendered } from './compareRendered.ts';
import type { ProjectTarget } from './project.ts';
import { findTargets, saveOpenFiles, type FolderTools } from './selection.ts';

interface PickedRevision {
  readonly ref: RecordKey;
  /** The mapped template, if there is one. */
  readonly target: ProjectTarget | undefined;
  readonly texts: FieldTexts;
  /** The revision's time, in ms since the epoch. */
  readonly at: number;
  /** The revision's time, formatted for the user. */
  readonly label: string;
}

/** An unsaved edit of a whole document. */
interface Replacement {
  readonly uri: vscode.Uri;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

const getTitle = () => t('Earlier States');

/** Compares a template with an earlier revision or restores it. Resolves with the number of files; undefined if the user cancels. */
export async function showRevisions(tools: FolderTools, argument: CommandArgument): Promise<number | undefined> {
  const picked = await pickRevision(tools, argument);
  if (picked === undefined) return undefined;
  const actions = [
    { label: t('Compare'), detail: t('Opens the state next to the current texts'), run: compareRevision },
    {
      label: t('Compare Emails Side by Side'),
      detail: t('Shows both as emails, side by side'),
      run: compareRevisionRendered,
    },
    { label: t('Restore'), detail: t('Restores the state as unsaved edits'), run: restoreRevision },
  ];
  const action = await vscode.window.showQuickPick(actions, { title: getTitle(), placeHolder: picked.label });
  return action?.run(tools, picked);
}

async function compareRevision(tools: FolderTools, picked: PickedRevision) {
  const { documents, mapped } = tools;
  const record = await (await documents.getRecord(mapped.kind.collection, picked.ref)).read();
  const changes = mapped.kind.parts.map((part) => {
    const uri = findDocumentUri(tools, picked.ref, record, part);
    return [uri, documents.snapshots.add(uri.path, renderRevision(part, record, picked.texts)), uri];
  });
  await vscode.commands.executeCommand('vscode.changes', t`${picked.label} ↔ now`, changes);
  return changes.length;
}

async function compareRevisionRendered(tools: FolderTools, { ref, at }: PickedRevision) {
  const { collection, parts } = tools.mapped.kind;
  const resourceUri = await tools.documents.resolveUri(collection, ref, parts[0]?.suffix ?? '');
  return (await compareRendered(tools, { resourceUri, version: at }))?.length;
}

/**
 * Restores a revision as unsaved edits: in the files of a mapped template, or else in its documents. The replaced texts are stored as a
 * revision first. Resolves with the number of changed files.
 */
async function restoreRevision(tools: FolderTools, picked: PickedRevision) {
  const { target, texts, label } = picked;
  const replacements =
    target === undefined ? await replaceDocuments(tools, picked) : await replaceFiles(tools, target, texts);
  if (replacements.length === 0) return 0;
  const edit = new vscode.WorkspaceEdit();
  for (const { uri, before, after } of replacements) {
    if (before === undefined) edit.createFile(uri, { contents: new TextEncoder().encode(after) });
    else {
      const document = await vscode.workspace.openTextDocument(uri);
      edit.replace(
        uri,
        new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length)),
        after,
      );
    }
  }
  const { snapshots } = tools.documents;
  const changes = replacements.map(({ uri, before }) => [uri, snapshots.add(uri.path, before ?? ''), uri]);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Error(t("Couldn't restore the earlier state: the editor rejected the edit. Nothing was changed."));
  await vscode.commands.executeCommand('vscode.changes', t`Before ↔ ${label}`, changes);
  return replacements.length;
}

async function pickRevision(
  { folders, mapped, revisions, targets }: FolderTools,
  argument: CommandArgument,
): Promise<PickedRevision | undefined> {
  const [named] = findTargets(folders, argument ?? getActiveEditorUris()[0]);
  const ref = named ?? (await targets.pickRecord(argument, { ...mapped.picking, title: getTitle(), fromEditor: true }));
  if (ref === undefined) return undefined;
  const states = await revisions.getRevisions(ref);
  if (states.length === 0)
    throw new Error(
      t('There is no earlier state of this template. Mailing Studio stores one each time it reads a change.'),
    );
  const items = states.map(({ at, texts }, index) => {
    const before = states[index + 1]?.texts;
    const changed = before && findDifferent(texts, before).join(', ');
    return {
      label: exactTimeFormat().format(at),
      description: escapeMessage(texts['subject'] ?? ''),
      detail:
        changed === undefined ? t('Oldest stored state') : changed === '' ? t('No changes') : t`Changed: ${changed}`,
      texts,
      at,
    };
  });
  const placeHolder = t('States read from the service, newest first');
  const picked = await vscode.window.showQuickPick(items, { title: getTitle(), placeHolder });
  if (picked === undefined) return undefined;
  const isSame = (one: ProjectTarget) => one.connection === ref.connection && one.id === ref.id;
  const target = named ?? folders.targets.find(isSame);
  const { texts, at, label } = picked;
  return { ref: { connection: ref.connection, id: ref.id }, target, texts, at, label };
}

/** Returns the edits that restore a revision in the files of a mapped template. */
async function replaceFiles(
  tools: FolderTools,
  target: ProjectTarget,
  texts: FieldTexts,
): Promise<readonly Replacement[]> {
  const { project, template } = target;
  const { files, folder } = project;
  await saveOpenFiles(tools, [target]);
  const local = await folder.read(template);
  await tools.revisions.add(target, { ...project.getComparison(target)?.remote, ...local }, true);
  project.sync.lineage.acceptOlder(target);
  const changed = new Set(findDifferent(texts, local).map((field) => folder.path(template, field)));
  const isSkipped = template.output !== undefined && changed.delete(template.output);
  if (isSkipped)
    void showInfo(t`A tool builds ${template.output ?? ''}, so it wasn't changed. Change its source instead.`);
  else if (changed.size === 0) void showInfo(t('The folder already has this state.'));
  return Promise.all(
    Array.from(changed, async (path) => ({
      uri: files.uri(path),
      before: await files.read(path),
      after: await folder.renderFile(template, path, texts),
    })),
  );
}

/** Returns the edits that restore a revision in the documents of a template. */
async function replaceDocuments(tools: FolderTools, { ref, texts }: PickedRevision) {
  const { documents, revisions, mapped } = tools;
  const { kind } = mapped;
  // Reading the record also stores the service's current texts as a revision.
  const record = await (await documents.getRecord(kind.collection, ref)).read();
  const reason = kind.getReadOnlyReason(record);
  if (reason !== undefined) throw new Error(reason);
  const replacements: Replacement[] = [];
  let typed: FieldTexts = {};
  for (const part of kind.parts) {
    const document = await vscode.workspace.openTextDocument(findDocumentUri(tools, ref, record, part));
    const [before, after] = [document.getText(), renderRevision(part, record, texts)];
    if (document.isDirty) typed = { ...typed, ...(await parseFields(part, before)) };
    if (contentHash(before) !== contentHash(after)) replacements.push({ uri: document.uri, before, after });
  }
  if (Object.keys(typed).length > 0) await revisions.add(ref, { ...mapped.readTexts(record), ...typed }, true);
  if (replacements.length === 0) void showInfo(t('The template already has this state.'));
  return replacements;
}

/** Returns the fields of unsaved text. Ignores text that can't be parsed: VS Code's local history has it. */
async function parseFields(part: AnyPart, text: string): Promise<FieldTexts> {
  try {
    const fields = Object.entries(await part.parse(text));
    return Object.fromEntries(fields.map(([name, value]) => [name, String(value ?? '')]));
  } catch {
    return {};
  }
}

function renderRevision(part: AnyPart, record: AnyRecord, texts: FieldTexts) {
  return part.render({ ...record, ...texts });
}

/** Returns the URI of a document, under its current name if it is open. */
function findDocumentUri(
  { documents, mapped: { kind } }: FolderTools,
  ref: RecordKey,
  record: AnyRecord,
  { suffix }: AnyPart,
) {
  const open = findRecordDocuments(kind.collection, ref).find(({ uri }) => documents.find(uri)?.part.suffix === suffix);
  return open?.uri ?? documents.buildUri(kind.collection, ref, record, suffix);
}
