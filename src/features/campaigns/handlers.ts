import type * as vscode from 'vscode';
import type { ExtensionServices } from '../../platform/services.ts';
import { showWarning } from '../../platform/ui/messages.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import type { FoundRecord } from '../../platform/documents/recordCommands.ts';
import { reopen } from '../../platform/documents/form/register.ts';
import { getRecordSource } from '../../platform/preview/host/recordSource.ts';
import { deleteRecord } from '../../platform/sending/recordChanges.ts';
import { Campaigns } from './campaigns.ts';
import { createCampaign } from './create.ts';
import { collection, campaignFormEditor, campaignSuffixes } from './kind.ts';
import { CampaignSendCommand, type SendResult } from './send.ts';
import { copyCampaign } from './unsendable.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';

export interface Handlers {
  open(argument: CommandArgument): Promise<FoundRecord | undefined>;
  openBody(argument: CommandArgument): Promise<FoundRecord | undefined>;
  openAsText(argument: CommandArgument): Promise<void>;
  openAsForm(argument: CommandArgument): Promise<void>;
  preview(argument: CommandArgument): Promise<FoundRecord | undefined>;
  create(argument: CommandArgument): Promise<RecordRef | undefined>;
  duplicate(argument: CommandArgument): Promise<FoundRecord | undefined>;
  delete(argument: CommandArgument): Promise<RecordRef | undefined>;
  send(argument: CommandArgument): Promise<SendResult | undefined>;
}

export function createHandlers(services: ExtensionServices): Handlers {
  const campaigns = new Campaigns(services);
  const sender = new CampaignSendCommand(campaigns);
  return {
    open: (argument) => openDocument(campaigns, argument, campaignSuffixes.details, 'Open Campaign'),
    openBody: (argument) => openDocument(campaigns, argument, campaignSuffixes.body, 'Open Campaign Body'),
    openAsText: (argument) => reopen(argument, 'default'),
    openAsForm: (argument) => reopen(argument, campaignFormEditor),
    preview: (argument) => openPreview(campaigns, argument),
    create: (argument) => createCampaign(campaigns, argument),
    duplicate: (argument) => duplicateCampaign(campaigns, argument),
    delete: (argument) => deleteCampaign(campaigns, argument),
    send: (argument) => sender.send(argument),
  };
}

async function openDocument(
  campaigns: Campaigns,
  argument: CommandArgument,
  suffix: string,
  title: string,
): Promise<FoundRecord | undefined> {
  const ref = await campaigns.choose(argument, title);
  return ref && campaigns.open(ref, suffix);
}

async function openPreview(campaigns: Campaigns, argument: CommandArgument): Promise<FoundRecord | undefined> {
  const { documents, previews } = campaigns.services;
  const ref = await campaigns.choose(argument, 'Open Preview');
  if (ref === undefined) return undefined;
  const uri: vscode.Uri = await documents.resolveUri(collection, ref, campaignSuffixes.body);
  const source = getRecordSource(documents, collection, campaignSuffixes, uri);
  if (source !== undefined) await previews.show(source);
  return { ...ref, uri };
}

/** Creates a draft with all sendable fields of a campaign, which may be a sent one. */
async function duplicateCampaign(campaigns: Campaigns, argument: CommandArgument): Promise<FoundRecord | undefined> {
  const ref = await campaigns.choose(argument, 'Duplicate Campaign');
  if (ref === undefined) return undefined;
  const { draft, warning } = copyCampaign(await campaigns.read(ref));
  const created = await campaigns.create(ref.connection, draft);
  if (warning !== undefined) void showWarning(warning);
  return created;
}

const UNCONFIRMED_SEND_WARNING =
  'The response to sending it was lost. The service may still be sending it, and its result could no longer be checked.';

/** Deletes a campaign after a confirmation that lists the consequences. */
async function deleteCampaign(campaigns: Campaigns, argument: CommandArgument): Promise<RecordRef | undefined> {
  const ref = await campaigns.choose(
    argument ?? campaigns.services.explorer.selectedRecord(collection),
    'Delete Campaign',
    {
      fromEditor: false,
    },
  );
  if (ref === undefined) return undefined;
  const { sent, sending_type } = await campaigns.read(ref);
  const sends = await campaigns.services.getCampaignSender();
  const consequences = [
    'This can\u2019t be undone: the service keeps no copy.',
    ...(sent === 1 ? ['Its statistics are lost with it.'] : []),
    ...(sends.isTracked(ref) ? [UNCONFIRMED_SEND_WARNING] : []),
    ...(sent !== 1 && sending_type !== 'now' ? ['It will not be sent.'] : []),
  ];
  const removed = await deleteRecord(campaigns, ref, {
    consequences,
    operation: (client) => client.deleteCampaign(ref.id),
  });
  if (removed !== undefined) await sends.handleDeleted(ref.connection, ref.id);
  return removed;
}
