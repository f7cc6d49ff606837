import { t } from '@vscode/l10n';
import type { Campaign } from '../../service/client/index.ts';
import type { ExtensionServices } from '../services.ts';
import { showWarning } from '../../ui/messages.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import type { RecordOperations } from '../../platform/documents/recordCollections.ts';
import { deleteRecord } from '../sending/recordChanges.ts';
import { createTestableMail } from '../sending/testSend/testMessage.ts';
import { Campaigns, createCampaign } from './campaigns.ts';
import { campaignDocuments, copyCampaign } from './documents.ts';
import { campaignSuffixes, collection } from './model.ts';
import { campaignPicking, resendablePicking } from './picker.ts';
import { sendCampaign } from './send.ts';
import { unscheduleCampaign } from './unschedule.ts';
import type { CommandArgument, CommandHandlers } from '../../ui/commands.ts';

export function createHandlers(services: ExtensionServices) {
  const campaigns = new Campaigns(services);
  return {
    'mailing.campaign.openBody': (argument) => openBody(campaigns, argument),
    'mailing.campaign.create': (argument) => createCampaign(campaigns, argument),
    'mailing.campaign.send': (argument) => sendCampaign(campaigns, argument),
    'mailing.campaign.unschedule': (argument) => unscheduleCampaign(campaigns, argument),
    'mailing.campaign.sendAgain': (argument) =>
      sendCampaign(campaigns, argument, {
        ...resendablePicking,
        title: t('Send Campaign Again'),
        fromEditor: true,
      }),
  } satisfies CommandHandlers;
}

/** Creates the operations of the commands for all types of records. */
export function createOperations(services: ExtensionServices): RecordOperations {
  const campaigns = new Campaigns(services);
  const mail = { kind: campaignDocuments, parts: campaignSuffixes, getMailId: readMailId };
  return {
    picking: campaignPicking,
    open: (ref, preview) => campaigns.open(ref, campaignSuffixes.details, preview),
    duplicate: (ref) => duplicateCampaign(campaigns, ref),
    delete: (ref) => deleteCampaign(campaigns, ref),
    findBody: (ref) => services.documents.resolveUri(collection, ref, campaignSuffixes.body),
    openTestable: (ref) => createTestableMail(services, mail, ref),
  };
}

/** Returns the id of the campaign's mail, which differs from the campaign id. Undefined if the record doesn't contain it. */
function readMailId({ mail_id: id }: Campaign) {
  const number = typeof id === 'string' || typeof id === 'number' ? Number(id) : NaN;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

async function openBody(campaigns: Campaigns, argument: CommandArgument) {
  const ref = await campaigns.choose(argument, t('Open Campaign Body'));
  return ref && campaigns.open(ref, campaignSuffixes.body);
}

/** Creates a draft with all sendable fields of a campaign, which may be a sent one. */
async function duplicateCampaign(campaigns: Campaigns, ref: RecordRef) {
  const { draft, warning } = copyCampaign(await campaigns.read(ref));
  const created = await campaigns.create(ref, draft);
  if (warning !== undefined) void showWarning(warning);
  return created;
}

/** Deletes a campaign after a confirmation that lists the consequences. */
async function deleteCampaign(campaigns: Campaigns, ref: RecordRef) {
  const sends = await campaigns.services.getCampaignSender();
  return deleteRecord(campaigns, ref, {
    formatQuestion: (name, service) => t`Delete the campaign "${name}" on ${service}?`,
    getConsequences: ({ sent, sending_type }) => [
      t("You can't undo this."),
      ...(sent === 1 ? [t('Its statistics are deleted too.')] : []),
      ...(sends.isTracked(ref)
        ? [
            t(
              'The response to sending it was lost. The service may still be sending it, and Mailing Studio could no longer check the result.',
            ),
          ]
        : []),
      ...(sent !== 1 && sending_type !== 'now' ? [t('It will not be sent.')] : []),
    ],
    operation: (client) => client.deleteCampaign(ref.id),
    deleteLocalData: () => sends.handleDeleted(ref),
  });
}

// What activation doesn't need.
export { campaignDocuments };
export { CampaignFormSession } from './form/session.ts';
export { CampaignNotices, showDraftWarning } from './notices.ts';
export { ListNameProvider } from './listNames.ts';
export { createCampaignTree } from './tree.ts';
export { findCampaignReferences } from './picker.ts';
