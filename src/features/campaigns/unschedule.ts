import { t } from '@vscode/l10n';
import type { RecordRef } from '../../platform/connections/model.ts';
import { escapeMessage } from '../../service/text.ts';
import { changeOnce, runAfterChange } from '../sending/recordChanges.ts';
import type { CommandArgument } from '../../ui/commands.ts';
import { showInfo } from '../../ui/messages.ts';
import type { Campaigns } from './campaigns.ts';
import { getCampaignState } from './details.ts';
import { campaignDocuments } from './documents.ts';
import { scheduledCampaignPicking } from './picker.ts';
import { getCampaignName } from './wording.ts';

/**
 * Makes a scheduled campaign a draft again. The API has no operation for this, but services do so to every campaign that is updated: this
 * sends back the record as just read. Undefined if the user cancels or the outcome is unconfirmed. Throws unless the campaign is scheduled.
 */
export async function unscheduleCampaign(
  campaigns: Campaigns,
  argument: CommandArgument,
): Promise<RecordRef | undefined> {
  const picking = { ...scheduledCampaignPicking, title: t('Unschedule Campaign'), fromEditor: true };
  const ref = await campaigns.targets.pickRecord(argument, picking);
  if (ref === undefined) return undefined;
  const campaign = await campaigns.read(ref);
  const name = escapeMessage(getCampaignName(campaign));
  if (getCampaignState(campaign) !== 'scheduled') throw new Error(t`"${name}" isn't scheduled. Nothing was changed.`);
  const done = t`"${name}" is a draft again. The service won't send it.`;
  const isDraft = async () => getCampaignState(await campaigns.read(ref)) === 'draft';
  return changeOnce({
    texts: {
      done,
      formatUnknown: (cause) => t`"${name}" may still be scheduled: ${cause} Check it on the service before its date.`,
    },
    request: async () => {
      await campaigns.run(ref, (client) => campaignDocuments.update(client, campaign, {}, ref));
      if (!(await isDraft()))
        throw new Error(
          t`"${name}" is still scheduled: the service keeps the schedule. Change it on the service's website.`,
        );
      void showInfo(done);
      return true;
    },
    check: async () => (await isDraft()) || undefined,
    finish: async () => {
      await runAfterChange(done, () => campaigns.refresh(ref));
      return ref;
    },
  });
}
