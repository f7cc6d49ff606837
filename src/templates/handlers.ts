import * as vscode from 'vscode';
import type { RecordRef } from '../workbench/record.ts';
import type { FoundRecord } from '../workbench/recordCommands.ts';
import { localSource } from '../workbench/preview/localSource.ts';
import { given } from '../workbench/given.ts';
import { suffixes, templateDocuments } from './documents.ts';
import { previewSource } from './preview.ts';
import { copyOf, type Templates } from './templates.ts';

/** Opens one of the documents of a template. */
export async function openDocument(templates: Templates, argument: unknown, suffix: string, title: string): Promise<FoundRecord | undefined> {
  const ref = await templates.choose(argument, title);
  return ref && templates.open(ref, suffix);
}

/** Opens the preview beside the editor: of a template, or of the local HTML file that is given or active. */
export async function openPreview(templates: Templates, argument: unknown): Promise<FoundRecord | { uri: vscode.Uri } | undefined> {
  const { documents, previews } = templates.rooms;
  const uri = await previewedUri(templates, argument);
  if (uri === undefined) return undefined;
  const source = previewSource(documents, uri) ?? localSource(uri);
  if (source === undefined) throw new Error('Only HTML files and the documents of templates can be previewed.');
  await previews.show(source);
  const { connection, id } = given(source.body);
  return connection === undefined || id === undefined ? { uri: source.body } : { connection, id, uri: source.body };
}

async function previewedUri(templates: Templates, argument: unknown): Promise<vscode.Uri | undefined> {
  if (argument instanceof vscode.Uri) return argument;
  const active = vscode.window.activeTextEditor?.document;
  const isMarkup = active !== undefined && (active.languageId === 'html' || templates.rooms.documents.find(active.uri) !== undefined);
  if (argument === undefined && isMarkup) return active.uri;
  const ref = await templates.choose(argument, 'Open Preview');
  return ref && templates.rooms.documents.uri(templateDocuments.collection, ref, suffixes.body);
}

/** Makes a copy on the same service, also of a drag-and-drop template: the copy is a standard one, and can be edited. */
export async function duplicateTemplate(templates: Templates, argument: unknown): Promise<FoundRecord | undefined> {
  const ref = await templates.choose(argument, 'Duplicate Template');
  if (ref === undefined) return undefined;
  const template = await templates.read(ref);
  return templates.create(ref.connection, copyOf(template, `${template.name ?? ''} (copy)`.trim()));
}

/** Deletes a template after a modal question. */
export async function deleteTemplate(templates: Templates, argument: unknown): Promise<RecordRef | undefined> {
  const selected = templates.rooms.explorer.selectedRecord(templateDocuments.collection);
  const ref = await templates.choose(argument ?? selected, 'Delete Template', { fromEditor: false });
  return ref && templates.remove(ref, ['This can\u2019t be undone: the service keeps no copy.'], (client) => client.deleteTemplate(ref.id));
}
