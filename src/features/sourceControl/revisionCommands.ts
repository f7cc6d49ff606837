import * as vscode from 'vscode';
import type { AnyPart, AnyRecord } from '../../platform/documents/model.ts';
import { findRecordDocuments } from '../../platform/documents/unsaved.ts';
import { showInfo } from '../../platform/ui/messages.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import { contentHash, type FieldTexts } from './fields.ts';
import type { Revision, TemplateRef } from './revisionStore.ts';
import { readFieldTexts } from './records.ts';
import { restoreRevisionFiles } from './restoreRevision.ts';
import type { ProjectTarget, FolderTools } from './tools.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';

interface PickedRevision {
  readonly ref: TemplateRef;
  readonly texts: FieldTexts;
  /** The revision's time, formatted for the user. */
  readonly label: string;
}

/** Compares a template with an earlier revision. */
export async function compareRevision(tools: FolderTools, argument: CommandArgument): Promise<void> {
  const picked = await pickRevision(tools, argument, 'Compare with an Earlier State');
  if (picked === undefined) return;
  const {
    documents,
    mapped: { kind },
  } = tools;
  const record = await (await documents.getRecord(kind.collection, picked.ref)).read();
  const changes = kind.parts.map((part) => {
    const uri = findDocumentUri(tools, picked.ref, record, part);
    return [uri, documents.snapshots.add(uri.path, renderRevision(part, record, picked.texts)), uri];
  });
  await vscode.commands.executeCommand('vscode.changes', `${picked.label} ↔ now`, changes);
}

/**
 * Restores a revision as unsaved edits: in the files of a mapped template, or else in its documents. Resolves with the number of changed
 * files; undefined if the user cancels.
 */
export async function restoreRevision(tools: FolderTools, argument: CommandArgument): Promise<number | undefined> {
  const picked = await pickRevision(tools, argument, 'Restore an Earlier State');
  if (picked === undefined) return undefined;
  const projectTarget = isProjectTarget(argument) ? argument : findProjectTarget(tools, picked.ref);
  return projectTarget === undefined
    ? restoreDocuments(tools, picked)
    : restoreRevisionFiles(tools, projectTarget, picked.texts, picked.label);
}

async function pickRevision(
  tools: FolderTools,
  argument: CommandArgument,
  title: string,
): Promise<PickedRevision | undefined> {
  const {
    revisions: history,
    mapped: { kind, picking },
    targets,
  } = tools;
  const ref = isProjectTarget(argument)
    ? toTemplateRef(argument)
    : await targets.pickRecord(argument, { ...picking, title, fromEditor: true });
  if (ref === undefined) return undefined;
  const states = await history.getRevisions(ref);
  if (states.length === 0)
    throw new Error(
      `No earlier state of this ${kind.noun} was seen: states are kept from the first time that it is read here.`,
    );
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  const items = states.map((state, index) => ({
    label: format.format(state.at),
    description: escapeMessage(state.texts['subject'] ?? ''),
    detail: describeRevisionChanges(state, states[index + 1]),
    state,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: 'States that were seen on the service, newest first',
  });
  return picked && { ref, texts: picked.state.texts, label: picked.label };
}

/** Describes the changes since the previous revision. */
function describeRevisionChanges({ texts }: Revision, before: Revision | undefined): string {
  if (before === undefined) return 'The first that is kept';
  const fields = Object.keys(texts).filter(
    (field) => contentHash(texts[field] ?? '') !== contentHash(before.texts[field] ?? ''),
  );
  return `Changed: ${fields.join(', ') || 'nothing'}`;
}

/** Writes a revision into a template's documents as unsaved edits and shows the differences. */
async function restoreDocuments(tools: FolderTools, { ref, texts, label }: PickedRevision): Promise<number> {
  const { documents, revisions: history, mapped } = tools;
  const { kind } = mapped;
  // Reading the record also stores the service's current texts as a revision.
  const record = await (await documents.getRecord(kind.collection, ref)).read();
  const reason = kind.getReadOnlyReason(record);
  if (reason !== undefined) throw new Error(reason);
  const edit = new vscode.WorkspaceEdit();
  const changes: (readonly vscode.Uri[])[] = [];
  let typed: FieldTexts = {};
  for (const part of kind.parts) {
    const document = await vscode.workspace.openTextDocument(findDocumentUri(tools, ref, record, part));
    const [now, earlier] = [document.getText(), renderRevision(part, record, texts)];
    if (document.isDirty) typed = { ...typed, ...(await parseFields(part, now)) };
    if (contentHash(now) === contentHash(earlier)) continue;
    edit.replace(document.uri, new vscode.Range(document.positionAt(0), document.positionAt(now.length)), earlier);
    changes.push([document.uri, documents.snapshots.add(document.uri.path, now), document.uri]);
  }
  if (Object.keys(typed).length > 0) await history.add(ref, { ...readFieldTexts(mapped, record), ...typed });
  if (changes.length === 0) void showInfo(`The ${kind.noun} has this state already.`);
  if (changes.length === 0) return 0;
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Error('The editor did not take the edit: nothing was changed.');
  await vscode.commands.executeCommand('vscode.changes', `Before ↔ ${label}`, changes);
  return changes.length;
}

/** Returns the fields of unsaved text. Ignores text that can't be parsed: VS Code's local history has it. */
async function parseFields(part: AnyPart, text: string): Promise<FieldTexts> {
  const fields = await Promise.resolve(text)
    .then((typed) => part.parse(typed))
    .catch(() => ({}));
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value ?? '')]));
}

function renderRevision(part: AnyPart, record: AnyRecord, texts: FieldTexts): string {
  return part.render({ ...record, ...texts });
}

/** Returns the URI of a document, under its current name if it is open. */
function findDocumentUri(
  { documents, mapped: { kind } }: FolderTools,
  ref: TemplateRef,
  record: AnyRecord,
  { suffix }: AnyPart,
): vscode.Uri {
  const open = findRecordDocuments(kind.collection, ref).find(({ uri }) => documents.find(uri)?.part.suffix === suffix);
  return open?.uri ?? documents.buildUri(kind.collection, ref, record, suffix);
}

function findProjectTarget({ folders }: FolderTools, { connection, id }: TemplateRef): ProjectTarget | undefined {
  return folders.projects
    .flatMap((project) => project.targets.map((target) => ({ project, target })))
    .find(({ target }) => target.connection === connection && target.id === id);
}

function toTemplateRef({ target: { connection, id } }: ProjectTarget): TemplateRef {
  return { connection, id };
}

function isProjectTarget(value: unknown): value is ProjectTarget {
  return typeof value === 'object' && value !== null && 'target' in value && 'project' in value;
}
