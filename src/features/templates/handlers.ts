import * as vscode from 'vscode';
import { newCampaignCommand } from '../campaigns/model.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { parseArgument, type FoundRecord } from '../../platform/documents/recordCommands.ts';
import { getRecordSource } from '../../platform/preview/host/recordSource.ts';
import { deleteRecord } from '../../platform/sending/recordChanges.ts';
import { readCurrentMessage } from '../../platform/sending/testSend/testMessage.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { type CommandArgument, runCommand } from '../../platform/ui/commands.ts';
import { collection, copyTemplateFields, templateSuffixes } from './model.ts';
import { Templates } from './templates.ts';
import { showUses, describeUses } from './uses.ts';

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

/** Creates the command handlers. Code that only one of them uses is loaded on demand. */
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

/** Opens the preview of a template, or of the given or active local HTML file. */
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
 * Creates a campaign from a template, including unsaved edits. Body and stylesheet are combined as in the preview, and subject and sender
 * are copied.
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
  // Without a subject, the campaign command prompts for one, as a campaign requires it.
  return runCommand(newCampaignCommand, {
    connection: ref.connection,
    name,
    ...(subject !== '' && { subject }),
    ...sender,
    body,
  });
}

/** Duplicates a template on the same service. The copy of a drag-and-drop template is a standard, editable template. */
async function duplicateTemplate(templates: Templates, argument: CommandArgument): Promise<FoundRecord | undefined> {
  const ref = await templates.choose(argument, 'Duplicate Template');
  if (ref === undefined) return undefined;
  const template = await templates.read(ref);
  return templates.create(ref.connection, copyTemplateFields(template, `${template.name ?? ''} (copy)`.trim()));
}

/** Deletes a template after a modal confirmation. */
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
