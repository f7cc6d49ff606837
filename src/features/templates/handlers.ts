import * as vscode from 'vscode';
import { createCommand } from '../campaigns/model.ts';
import type { RecordRef } from '../../platform/connections/record.ts';
import { parseArgument, type FoundRecord } from '../../platform/documents/recordCommands.ts';
import { getRecordSource } from '../../platform/preview/host/recordSource.ts';
import { deleteRecord } from '../../platform/sending/recordChanges.ts';
import { readCurrentMessage } from '../../platform/sending/testMessage.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { type CommandArgument, runCommand } from '../../platform/ui/commands.ts';
import { collection, copyTemplateFields, templateSuffixes } from './model.ts';
import { Templates } from './templates.ts';
import { showUses, describeUses } from './uses.ts';

/** What each command does. */
export interface Handlers {
  open(argument: CommandArgument): Promise<FoundRecord | undefined>;
  openStylesheet(argument: CommandArgument): Promise<FoundRecord | undefined>;
  openDetails(argument: CommandArgument): Promise<FoundRecord | undefined>;
  preview(argument: CommandArgument): Promise<FoundRecord | { uri: vscode.Uri } | undefined>;
  duplicate(argument: CommandArgument): Promise<FoundRecord | undefined>;
  delete(argument: CommandArgument): Promise<RecordRef | undefined>;
  create(argument: CommandArgument): Promise<FoundRecord | undefined>;
  createCampaign(argument: CommandArgument): Promise<RecordRef | undefined>;
  copyTo(argument: CommandArgument): Promise<FoundRecord | undefined>;
  showUses(argument: CommandArgument): Promise<RecordRef | undefined>;
}

/** The commands. What only one of them needs is loaded when that one runs. */
export function createHandlers(services: ExtensionServices): Handlers {
  const templates = new Templates(services);
  return {
    open: (argument) => openTemplateDocument(templates, argument, templateSuffixes.body, 'Open Template'),
    openStylesheet: (argument) =>
      openTemplateDocument(templates, argument, templateSuffixes.stylesheet, 'Open Stylesheet'),
    openDetails: (argument) =>
      openTemplateDocument(templates, argument, templateSuffixes.details, 'Open Template Details'),
    preview: (argument) => openTemplatePreview(templates, argument),
    duplicate: (argument) => duplicateTemplate(templates, argument),
    delete: (argument) => deleteTemplate(templates, argument),
    create: async (argument) => (await import('./create.ts')).createTemplate(templates, argument),
    createCampaign: (argument) => createCampaignFromTemplate(templates, argument),
    showUses: (argument) => showUses(templates, argument),
    copyTo: async (argument) => (await import('./copyTo.ts')).copyTo(templates, argument),
  };
}

async function openTemplateDocument(
  templates: Templates,
  argument: CommandArgument,
  suffix: string,
  title: string,
): Promise<FoundRecord | undefined> {
  const ref = await templates.choose(argument, title);
  return ref && templates.open(ref, suffix);
}

/** Opens the preview beside the editor: of a template, or of the local HTML file that is given or active. */
async function openTemplatePreview(
  templates: Templates,
  argument: CommandArgument,
): Promise<FoundRecord | { uri: vscode.Uri } | undefined> {
  const { documents, previews } = templates.services;
  const uri = await findPreviewUri(templates, argument);
  if (uri === undefined) return undefined;
  const isRecord = uri.scheme === 'mailing';
  const source = isRecord ? getRecordSource(documents, collection, templateSuffixes, uri) : await previews.resolve(uri);
  if (source === undefined) throw new Error('Only HTML files and the documents of templates can be previewed.');
  await previews.show(source);
  const { connection, id } = parseArgument(source.body);
  return connection === undefined || id === undefined ? { uri: source.body } : { connection, id, uri: source.body };
}

async function findPreviewUri(templates: Templates, argument: CommandArgument): Promise<vscode.Uri | undefined> {
  if (argument instanceof vscode.Uri) return argument;
  const active = vscode.window.activeTextEditor?.document;
  const isMarkup =
    active !== undefined &&
    (active.languageId === 'html' || templates.services.documents.find(active.uri) !== undefined);
  if (argument === undefined && isMarkup) return active.uri;
  const ref = await templates.choose(argument, 'Open Preview');
  return ref && templates.services.documents.resolveUri(collection, ref, templateSuffixes.body);
}

/**
 * Makes a campaign of a template as its editors have it now: body and stylesheet as the preview shows them, subject and sender taken along.
 */
async function createCampaignFromTemplate(
  templates: Templates,
  argument: CommandArgument,
): Promise<RecordRef | undefined> {
  const ref = await templates.choose(argument, 'Create Campaign from Template');
  if (ref === undefined) return undefined;
  const { name, envelope, body } = await readCurrentMessage(
    templates.services.documents,
    collection,
    templateSuffixes,
    ref,
  );
  const { subject, preheader: _, ...sender } = envelope;
  // Without a subject the campaign's room asks for one: a campaign can't be without.
  return runCommand(createCommand, {
    connection: ref.connection,
    name,
    ...(subject !== '' && { subject }),
    ...sender,
    body,
  });
}

/** Makes a copy on the same service, also of a drag-and-drop template: the copy is a standard one, and can be edited. */
async function duplicateTemplate(templates: Templates, argument: CommandArgument): Promise<FoundRecord | undefined> {
  const ref = await templates.choose(argument, 'Duplicate Template');
  if (ref === undefined) return undefined;
  const template = await templates.read(ref);
  return templates.create(ref.connection, copyTemplateFields(template, `${template.name ?? ''} (copy)`.trim()));
}

/** Deletes a template after a modal question. */
async function deleteTemplate(templates: Templates, argument: CommandArgument): Promise<RecordRef | undefined> {
  const selected = templates.services.explorer.selectedRecord(collection);
  const ref = await templates.choose(argument ?? selected, 'Delete Template', { fromEditor: false });
  if (ref === undefined) return undefined;
  const consequences = [
    'This can\u2019t be undone: the service keeps no copy.',
    ...(await describeUses(templates, ref)),
  ];
  return deleteRecord(templates, ref, { consequences, operation: (client) => client.deleteTemplate(ref.id) });
}
