import { getComposingProfile } from '../../platform/connections/model.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { getListColor, getListName, formatListSize } from '../lists/model.ts';
import { toPerson } from '../../platform/preview/host/subscriberPick.ts';
import { readCurrentMessage } from '../../platform/sending/testSend/testMessage.ts';
import { hashMessage } from '../../platform/sending/testSend/testLog.ts';
import { formatRequestTime } from '../../platform/sending/journal.ts';
import type { SendReview } from '../../platform/sending/protocol.ts';
import { readTagLanguage, createRendering, renderTags, samplePeople } from '../../email/tags/index.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import type { Campaigns } from './campaigns.ts';
import { findEmptyTags, type SampledSubscriber } from './emptyTags.ts';
import { checkCampaignEmail, toEmail } from './preSendCheck.ts';
import { collection, getCampaignName, getCampaignState, campaignSuffixes } from './model.ts';
import type { SendPlan } from './plan.ts';

const MAX_SAMPLED_SUBSCRIBERS = 100;

/** Collects the content of the review before sending from the record as last read. */
export function createSendReview(campaigns: Campaigns, ref: RecordRef, plan: SendPlan): Promise<SendReview> {
  return withProgress('Looking at what goes out', async (signal) => {
    const { services } = campaigns;
    const connection = services.connections.get(ref.connection);
    const { campaign, effect, lists, audience } = plan;
    const language = readTagLanguage(connection?.tags);
    const profile = getComposingProfile(connection);
    const email = toEmail(campaign);
    const sample = plan.sample
      .slice(0, MAX_SAMPLED_SUBSCRIBERS)
      .map((subscriber): SampledSubscriber => ({ subscriber, named: toPerson(subscriber) }));
    const [checkResult, composed, test] = await Promise.all([
      checkCampaignEmail(services, ref.connection, email, signal),
      composeEmail(campaigns, email, { profile, site: connection?.baseUrl }, signal),
      readTestStatus(campaigns, ref, connection?.baseUrl ?? ''),
    ]);
    const [first] = sample;
    const person = (first?.named ?? samplePeople[0])?.person ?? {};
    const render = (text: string, where: 'body' | 'subject' | 'preheader'): string =>
      renderTags(text, language, {
        ...createRendering(person, { subject: email.subject, name: campaign.name ?? '' }),
        where,
      }).text;
    return {
      name: getCampaignName(campaign),
      service: campaigns.getServiceName(ref),
      action: effect.isImmediate ? 'Send…' : 'Start…',
      schedule: [
        `It ${effect.description}.`,
        ...(effect.warning === undefined ? [] : [effect.warning]),
        ...(getCampaignState(campaign) === 'sent'
          ? ['It was sent already: everybody who got it will get it a second time.']
          : []),
      ],
      envelope: {
        subject: render(email.subject, 'subject'),
        preheader: render(email.preheader, 'preheader'),
        from_name: campaign.from_name ?? '',
        from_email: campaign.from_email ?? '',
        reply_to_name: campaign.reply_to_name ?? '',
        reply_to_email: campaign.reply_to_email ?? '',
      },
      html: render(composed.html, 'body'),
      personName: first?.named.title ?? 'a typical person',
      ...(composed.text !== undefined && { text: render(composed.text, 'body') }),
      ...(lists && {
        lists: lists.map((list) => ({
          name: getListName(list),
          color: getListColor(list),
          subscriberCount: formatListSize(list),
        })),
      }),
      audience:
        audience === undefined
          ? UNREPORTED_LISTS_NOTE
          : `${audience.exact ? '' : 'More than '}${formatAmount(audience.count, 'recipient')}`,
      ...checkResult,
      emptyTags: findEmptyTags([email.body, email.subject, email.preheader], language, sample),
      sampleDescription: describeSample(sample.length),
      ...test,
    };
  });
}

export const UNREPORTED_LISTS_NOTE = "The service doesn't report this campaign's lists. Check them on its website.";

function describeSample(count: number): string {
  return count === 0
    ? 'nobody: no subscriber could be read'
    : `the first ${formatAmount(count, 'subscriber')} of its lists`;
}

/** Composes the email as the service would. Only the profile `acymailing` defines a text part. Falls back to the stored body. */
async function composeEmail(
  { services }: Campaigns,
  email: ReturnType<typeof toEmail>,
  options: { readonly profile: 'documented' | 'acymailing'; readonly site: string | undefined },
  signal: AbortSignal,
): Promise<{ readonly html: string; readonly text?: string }> {
  try {
    const { html, text } = await (
      await services.worker()
    ).run('compose', { email, options }, { signal, about: email.subject });
    return options.profile === 'acymailing' ? { html, text } : { html };
  } catch {
    signal.throwIfAborted();
    return { html: email.body };
  }
}

/** Describes the last test and whether it had the current text. */
async function readTestStatus(
  { services }: Campaigns,
  ref: RecordRef,
  baseUrl: string,
): Promise<Pick<SendReview, 'testStatus' | 'isTested'>> {
  const lastTest = services.testLog.getLast({
    connection: ref.connection,
    baseUrl,
    what: `tests/${collection}/${ref.id}`,
  });
  if (lastTest === undefined) return { testStatus: 'No test of it was sent from this workspace.', isTested: false };
  const when = `The last test went to ${formatAmount(lastTest.recipients, 'recipient')} at ${formatRequestTime({ asked: lastTest.at })}`;
  const isTested =
    lastTest.fingerprint ===
    hashMessage(await readCurrentMessage(services.documents, collection, campaignSuffixes, ref));
  return { testStatus: isTested ? `${when}, with this text.` : `${when}. The text has changed since.`, isTested };
}
