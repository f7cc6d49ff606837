import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RecordRef } from '../../platform/connections/model.ts';
import type { RecordOperations } from '../../platform/records/model.ts';
import { deleteRecord } from '../../platform/sending/recordChanges.ts';
import { createTestableMail, readCurrentMessage } from '../../platform/sending/testSend/testMessage.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';
import { copyTo } from './copyTo.ts';
import { createTemplate } from './create.ts';
import { templateDocuments } from './documents.ts';
import { collection, copyTemplateFields, templatePicking, templateSuffixes } from './model.ts';
import { Templates } from './templates.ts';
import { showUses, describeUses } from './uses.ts';

export function createHandlers(services: ExtensionServices) {
  const templates = new Templates(services);
  return {
    openStylesheet: (argument: CommandArgument) =>
      openTemplateDocument(templates, argument, templateSuffixes.stylesheet, t('Open Stylesheet')),
    openDetails: (argument: CommandArgument) =>
      openTemplateDocument(templates, argument, templateSuffixes.details, t('Open Template Details')),
    create: (argument: CommandArgument) => createTemplate(templates, argument),
    createCampaign: (argument: CommandArgument) => createCampaignFromTemplate(templates, argument),
    showUses: (argument: CommandArgument) => showUses(templates, argument),
    copyTo: (argument: CommandArgument) => copyTo(templates, argument),
  };
}

/** Creates the operations of the commands for all types of records. */
export function createOperations(services: ExtensionServices): RecordOperations {
  const templates = new Templates(services);
  const mail = { kind: templateDocuments, parts: templateSuffixes, getMailId: ({ id }: { readonly id: number }) => id };
  return {
    picking: templatePicking,
    open: (ref, preview) => templates.open(ref, templateSuffixes.body, preview),
    duplicate: (ref) => duplicateTemplate(templates, ref),
    delete: (ref) => deleteTemplate(templates, ref),
    findBody: (ref) => services.documents.resolveUri(collection, ref, templateSuffixes.body),
    openTestable: (ref) => createTestableMail(services, mail, ref),
  };
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

/** Duplicates a template on the same service. The copy of a drag-and-drop template is a standard, editable template. */
async function duplicateTemplate(templates: Templates, ref: RecordRef) {
  const template = await templates.read(ref);
  return templates.create(
    ref,
    copyTemplateFields(
      template,
      t({ message: '{0} (copy)', args: [template.name ?? ''], comment: 'Name of the copy of a template' }).trim(),
    ),
  );
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

// What activation doesn't need.
export { templateDocuments };
export { mappedTemplates } from './templates.ts';
export { templateTree } from './tree.ts';
