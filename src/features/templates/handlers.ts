import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toServiceRef, type Connection, type RecordRef } from '../../platform/connections/model.ts';
import { showConnectionPick } from '../../platform/documents/recordCommands.ts';
import type { RecordOperations } from '../../platform/documents/recordCollections.ts';
import { deleteRecord } from '../sending/recordChanges.ts';
import { createTestableMail, readCurrentMessage } from '../sending/testSend/testMessage.ts';
import type { ExtensionServices } from '../services.ts';
import { type CommandArgument, type CommandHandlers, getFields } from '../../ui/commands.ts';
import { createTemplate } from './create.ts';
import { templateDocuments } from './documents.ts';
import { collection, templateFields, templatePicking, templateSuffixes } from './model.ts';
import { Templates } from './templates.ts';
import { templateTree } from './tree.ts';
import { showUses, describeUses } from './uses.ts';

/** Creates everything that the feature registers. */
export function createHandlers(services: ExtensionServices) {
  const templates = new Templates(services);
  const mail = { kind: templateDocuments, parts: templateSuffixes, getMailId: ({ id }: { readonly id: number }) => id };
  const operations: RecordOperations = {
    picking: templatePicking,
    open: (ref, preview) => templates.open(ref, templateSuffixes.body, preview),
    duplicate: (ref, argument) => duplicateTemplate(templates, ref, argument),
    delete: (ref) => deleteTemplate(templates, ref),
    findBody: (ref) => services.documents.resolveUri(collection, ref, templateSuffixes.body),
    openTestable: (ref) => createTestableMail(services, mail, ref),
  };
  const commands = {
    'mailing.template.openStylesheet': (argument) =>
      openTemplateDocument(templates, argument, templateSuffixes.stylesheet, t('Open Stylesheet')),
    'mailing.template.openDetails': (argument) =>
      openTemplateDocument(templates, argument, templateSuffixes.details, t('Open Template Details')),
    'mailing.template.create': (argument) => createTemplate(templates, argument),
    'mailing.template.createCampaign': (argument) => createCampaignFromTemplate(templates, argument),
    'mailing.template.showUses': (argument) => showUses(templates, argument),
  } satisfies CommandHandlers;
  return { tree: templateTree, kind: templateDocuments, operations, commands };
}

async function openTemplateDocument(templates: Templates, argument: CommandArgument, suffix: string, title: string) {
  const ref = await templates.choose(argument, title);
  return ref && templates.open(ref, suffix);
}

/**
 * Creates a campaign from a template, including unsaved edits. Body and stylesheet are combined as in the preview, and subject and sender
 * are copied.
 */
async function createCampaignFromTemplate(templates: Templates, argument: CommandArgument) {
  const ref = await templates.choose(argument, t('Create Campaign from Template'));
  if (ref === undefined) return undefined;
  const { name, envelope, body } = await readCurrentMessage(
    templates.services.documents,
    collection,
    templateSuffixes,
    ref,
  );
  const { subject, preheader: _, ...sender } = envelope;
  // Without a subject, the campaign command prompts for one, as a campaign requires it.
  return vscode.commands.executeCommand('mailing.campaign.create', {
    connection: ref.connection,
    baseUrl: ref.baseUrl,
    name,
    subject: subject || undefined,
    ...sender,
    body,
  });
}

/** Duplicates a template. The copy of a drag-and-drop template is a standard, editable template. */
async function duplicateTemplate(templates: Templates, ref: RecordRef, argument: CommandArgument) {
  const target = await pickTarget(templates.services.connections.all, ref, argument);
  if (target === undefined) return undefined;
  const template = await templates.read(ref);
  const fields = Object.fromEntries(templateFields.map((field) => [field, template[field]]));
  const name = template.name ?? '';
  if (target.id !== ref.connection) return templates.create(toServiceRef(target), { ...fields, name });
  const copyName = t({ message: '{0} (copy)', args: [name], comment: 'Name of the copy of a template' }).trim();
  return templates.create(ref, { ...fields, name: copyName });
}

/**
 * Returns the connection to create a copy on: the argument's `to`, or else the picked one, if there are several. Only users are asked: other
 * callers name a connection, and get the copy there.
 */
async function pickTarget(all: readonly Connection[], { connection }: RecordRef, argument: CommandArgument) {
  const { to, kind, connection: named } = getFields(argument);
  const own = all.filter(({ id }) => id === connection);
  const choices = [...own, ...all.filter(({ id }) => id !== connection)];
  if (to !== undefined) return choices.find(({ id }) => id === to);
  if (choices.length === 1 || (named !== undefined && kind === undefined)) return own[0];
  return showConnectionPick(choices, { title: t('Duplicate'), placeHolder: t('Select the service to copy to') });
}

/** Deletes a template after a modal confirmation. */
async function deleteTemplate(templates: Templates, ref: RecordRef) {
  const consequences = [t("You can't undo this."), ...(await describeUses(templates, ref))];
  return deleteRecord(templates, ref, {
    formatQuestion: (name, service) => t`Delete the template "${name}" on ${service}?`,
    getConsequences: () => consequences,
    operation: (client) => client.deleteTemplate(ref.id),
  });
}
