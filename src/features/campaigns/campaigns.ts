import { t } from '@vscode/l10n';
import type { Campaign } from '../../service/client/index.ts';
import { RecordCommands, type FoundRecord } from '../../platform/documents/recordCommands.ts';
import { createAndOpenRecord } from '../sending/recordChanges.ts';
import type { ExtensionServices } from '../services.ts';
import { campaignDocuments, createCampaignRequest, copyCampaign } from './documents.ts';
import { emptyDetails, campaignDetailFields } from './details.ts';
import { campaignSuffixes, type CampaignDraft } from './model.ts';
import { campaignPicking } from './picker.ts';
import * as vscode from 'vscode';
import { toServiceRef, type RecordRef, type ServiceRef } from '../../platform/connections/model.ts';
import { type CommandArgument, pickFields } from '../../ui/commands.ts';
import { promptForHtmlFile, getFileName, getActiveHtmlDocument, toHtmlSource } from '../../ui/export/htmlFile.ts';
import { promptForRequiredText, showWarning } from '../../ui/messages.ts';

/** Operations that the campaign commands share. */
export class Campaigns extends RecordCommands<Campaign, ExtensionServices> {
  constructor(services: ExtensionServices) {
    super(services, campaignDocuments, campaignPicking);
  }

  /**
   * Creates a draft campaign, opens it and reports fields that the service stored differently. Returns undefined if the outcome is unconfirmed.
   *
   * Throws `ApiError` if the service refuses the request.
   */
  create(service: ServiceRef, { body = '', ...details }: CampaignDraft): Promise<FoundRecord | undefined> {
    const request = createCampaignRequest({ ...emptyDetails, ...details }, body);
    return createAndOpenRecord(this, {
      service,
      name: details.name,
      fields: { ...request },
      suffix: campaignSuffixes.details,
      create: async (client) => (await client.createOrUpdateCampaign(request)).campaignId,
    });
  }
}

interface CampaignOrigin extends vscode.QuickPickItem {
  /** Another command creates the campaign. */
  readonly isTemplate?: boolean;
  load(): Promise<Partial<CampaignDraft> | undefined>;
}

const getTitle = () => t('New Campaign');

function createEmptyOrigin(): CampaignOrigin {
  return {
    label: `$(file) ${t({ message: 'Empty', comment: 'What a new campaign starts from' })}`,
    description: t('Nothing filled in'),
    load: async () => ({}),
  };
}

/**
 * Creates a campaign: empty, from a template, from a local HTML file, from the active editor, or as a duplicate. The argument may contain
 * fields by their API names; with both a name and a subject, there are no prompts.
 */
export async function createCampaign(campaigns: Campaigns, argument: CommandArgument): Promise<RecordRef | undefined> {
  const connection = await campaigns.targets.pickConnection(argument, getTitle());
  if (connection === undefined) return undefined;
  // Not validated here: the caller supplied the values, and the service reports invalid ones.
  const service = toServiceRef(connection);
  const fields: Partial<CampaignDraft> = pickFields(argument, [...campaignDetailFields, 'body']);
  if (fields.name !== undefined && fields.subject !== undefined)
    return campaigns.create(service, { ...fields, name: fields.name, subject: fields.subject });

  const origin = fields.body === undefined ? await pickOrigin(campaigns, connection.id) : createEmptyOrigin();
  // The templates feature decides which fields of a template to copy.
  if (origin?.isTemplate) return vscode.commands.executeCommand('mailing.template.createCampaign', service);
  const initialFields = await origin?.load();
  if (initialFields === undefined) return undefined;
  const ask = (prompt: string, value: string, errorMessage: string) =>
    promptForRequiredText({ title: getTitle(), prompt, value }, errorMessage);
  const initialSubject = fields.subject ?? initialFields.subject ?? '';
  const subject = await ask(t('Subject, shown to recipients'), initialSubject, t('Enter a subject.'));
  if (subject === undefined) return undefined;
  const name = await ask(
    t('Name of the campaign, for you and your team'),
    fields.name ?? initialFields.name ?? subject,
    t('Enter a name.'),
  );
  return name === undefined ? undefined : campaigns.create(service, { ...initialFields, ...fields, name, subject });
}

function pickOrigin(campaigns: Campaigns, connection: string) {
  const origins: CampaignOrigin[] = [
    createEmptyOrigin(),
    {
      label: `$(file-code) ${t('From a template…')}`,
      description: t('Body, stylesheet, subject and sender'),
      isTemplate: true,
      load: async () => undefined,
    },
    {
      label: `$(copy) ${t('From another campaign…')}`,
      description: t('All fields'),
      load: () => readCopy(campaigns, connection),
    },
    ...getEditorOrigins(),
    {
      label: `$(folder-opened) ${t('From an HTML file…')}`,
      description: t('A local file as the body'),
      load: () => promptForHtmlFile(getTitle()),
    },
  ];
  return vscode.window.showQuickPick(origins, {
    title: getTitle(),
    placeHolder: t('Select what to start from'),
    matchOnDescription: true,
  });
}

async function readCopy(campaigns: Campaigns, connection: string): Promise<Partial<CampaignDraft> | undefined> {
  const ref = await campaigns.choose({ connection }, getTitle());
  if (ref === undefined) return undefined;
  const { draft, warning } = copyCampaign(await campaigns.read(ref));
  if (warning !== undefined) void showWarning(warning);
  return draft;
}

function getEditorOrigins(): CampaignOrigin[] {
  const document = getActiveHtmlDocument();
  if (document === undefined) return [];
  return [
    {
      label: `$(edit) ${t('From the file in the editor')}`,
      description: getFileName(document.uri),
      load: async () => toHtmlSource(document),
    },
  ];
}
