import { getComposingProfile } from '../../platform/connections/model.ts';
import type { RecordRef } from '../../platform/connections/record.ts';
import { colorOf, nameOf as listName, sizeOf } from '../lists/model.ts';
import { toPerson } from '../../platform/preview/host/subscriberPick.ts';
import { readCurrentMessage } from '../../platform/sending/testMessage.ts';
import { hashMessage } from '../../platform/sending/testSend/testLog.ts';
import { formatRequestTime } from '../../platform/sending/requestTime.ts';
import type { SendReview } from '../../platform/sending/protocol.ts';
import { readTagLanguage, createRendering, renderTags, samplePeople } from '../../email/tags/index.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import type { Campaigns } from './campaigns.ts';
import { emptyTagsOf, type Sampled } from './emptyTags.ts';
import { check, emailOf } from './lastCheck.ts';
import { collection, nameOf, stateOf, suffixes } from './model.ts';
import type { Plan } from './plan.ts';

/** Subscribers on whom tags are counted, at most. */
const sampleSize = 100;

/** Everything that would go out of a campaign, as its record is. */
export function lookAt(campaigns: Campaigns, ref: RecordRef, plan: Plan): Promise<SendReview> {
  return withProgress('Looking at what goes out', async (signal) => {
    const { services } = campaigns;
    const connection = services.connections.get(ref.connection);
    const { campaign, effect, lists, audience } = plan;
    const language = readTagLanguage(connection?.tags);
    const profile = getComposingProfile(connection);
    const mail = emailOf(campaign);
    const sample = plan.sample
      .slice(0, sampleSize)
      .map((subscriber): Sampled => ({ subscriber, named: toPerson(subscriber) }));
    const [found, sent, test] = await Promise.all([
      check(services, ref.connection, mail, signal),
      composed(campaigns, mail, { profile, site: connection?.baseUrl }, signal),
      testOf(campaigns, ref, connection?.baseUrl ?? ''),
    ]);
    const [first] = sample;
    const person = (first?.named ?? samplePeople[0])?.person ?? {};
    const rendered = (text: string, where: 'body' | 'subject' | 'preheader'): string =>
      renderTags(text, language, {
        ...createRendering(person, { subject: mail.subject, name: campaign.name ?? '' }),
        where,
      }).text;
    return {
      name: nameOf(campaign),
      service: campaigns.getServiceName(ref),
      action: effect.atOnce ? 'Send…' : 'Start…',
      schedule: [
        `It ${effect.words}.`,
        ...(effect.warning === undefined ? [] : [effect.warning]),
        ...(stateOf(campaign) === 'sent'
          ? ['It was sent already: everybody who got it will get it a second time.']
          : []),
      ],
      envelope: {
        subject: rendered(mail.subject, 'subject'),
        preheader: rendered(mail.preheader, 'preheader'),
        from_name: campaign.from_name ?? '',
        from_email: campaign.from_email ?? '',
        reply_to_name: campaign.reply_to_name ?? '',
        reply_to_email: campaign.reply_to_email ?? '',
      },
      html: rendered(sent.html, 'body'),
      personName: first?.named.title ?? 'a typical person',
      ...(sent.text !== undefined && { text: rendered(sent.text, 'body') }),
      ...(lists && {
        lists: lists.map((list) => ({ name: listName(list), color: colorOf(list), subscriberCount: sizeOf(list) })),
      }),
      audience:
        audience === undefined
          ? 'The service does not tell its lists. Look at the campaign on its website.'
          : `${audience.exact ? '' : 'More than '}${formatAmount(audience.count, 'recipient')}`,
      ...found,
      emptyTags: emptyTagsOf([mail.body, mail.subject, mail.preheader], language, sample),
      sampleDescription: sampleWords(sample.length),
      ...test,
    };
  });
}

function sampleWords(count: number): string {
  return count === 0
    ? 'nobody: no subscriber could be read'
    : `the first ${formatAmount(count, 'subscriber')} of its lists`;
}

/** What the service makes of it. Its text part is known in the profile `acymailing` alone. Where that fails: the body as it is stored. */
async function composed(
  { services }: Campaigns,
  email: ReturnType<typeof emailOf>,
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

/** What is known of its last test: of this text, or of another. */
async function testOf(
  { services }: Campaigns,
  ref: RecordRef,
  baseUrl: string,
): Promise<Pick<SendReview, 'testStatus' | 'isTested'>> {
  const last = services.testLog.getLast({ connection: ref.connection, baseUrl, what: `tests/${collection}/${ref.id}` });
  if (last === undefined) return { testStatus: 'No test of it was sent from this workspace.', isTested: false };
  const when = `The last test went to ${formatAmount(last.recipients, 'recipient')} at ${formatRequestTime({ asked: last.at })}`;
  const isTested =
    last.fingerprint === hashMessage(await readCurrentMessage(services.documents, collection, suffixes, ref));
  return { testStatus: isTested ? `${when}, with this text.` : `${when}. The text has changed since.`, isTested };
}
