import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { plural } from '../../../l10n.ts';
import type { Campaign } from '../../../service/client/index.ts';
import type { Email } from '../../../email/checks/index.ts';
import { getUnsubscribeHeader } from '../../../email/sent/unsubscribeHeader.ts';
import { readStoredPreheader } from '../../../email/compose/compose.ts';
import { getComposingProfile, type RecordRef } from '../../../platform/connections/model.ts';
import { getCheckOptions } from '../../language/checks/checkOptions.ts';
import { getListColor, getListName, formatListSize } from '../../lists/model.ts';
import { withCustomFields } from '../../../service/client/users.ts';
import { toPerson } from '../../preview/viewerSelection.ts';
import { readCurrentMessage } from '../../sending/testSend/testMessage.ts';
import { hashMessage } from '../../sending/testSend/testLog.ts';
import { formatRequestTime } from '../../../sync/requests/journal.ts';
import type { SendReview } from './protocol.ts';
import { readTagLanguage, createRendering, renderTags, samplePeople } from '../../../email/tags/index.ts';
import type { ExtensionServices } from '../../services.ts';
import { errorText, isCanceled } from '../../../ui/errors.ts';
import { withProgress } from '../../../ui/messages.ts';
import type { Campaigns } from '../campaigns.ts';
import { getCampaignState } from '../details.ts';
import { collection, campaignSuffixes } from '../model.ts';
import { describeVersions, getCampaignName } from '../wording.ts';
import { countVersions, findEmptyTags, type AudienceCount, type SampledSubscriber, type SendPlan } from '../plan.ts';

/** What the review shows and the user confirms: one value that never changes. */
export interface ReviewedSend {
  readonly plan: SendPlan;
  readonly review: SendReview;
}

const MAX_SAMPLED_SUBSCRIBERS = 100;

/** Collects the content of the review before sending from the record as last read. */
export function createSendReview(campaigns: Campaigns, ref: RecordRef, plan: SendPlan): Promise<SendReview> {
  return withProgress(t('Preparing the review'), async (signal) => {
    const { services } = campaigns;
    const connection = services.connections.get(ref.connection);
    const { campaign, effect, lists, audience } = plan;
    const repetition = describeRepetition(plan);
    const language = readTagLanguage(connection?.tags);
    const profile = getComposingProfile(connection);
    const email = toEmail(campaign);
    const subscribers = await campaigns.run(ref, (client) =>
      withCustomFields(client, plan.sample.slice(0, MAX_SAMPLED_SUBSCRIBERS), signal),
    );
    const sample = subscribers.map((subscriber): SampledSubscriber => ({ subscriber, named: toPerson(subscriber) }));
    const [versions, checkResult, composed, test] = await Promise.all([
      campaigns.run(ref, (client) => countVersions(client, ref.id)),
      checkCampaignEmail(services, ref.connection, email, signal),
      composeEmail(services, email, { profile, site: connection?.baseUrl }, signal),
      readTestStatus(services, ref, connection?.baseUrl ?? ''),
    ]);
    const [first] = sample;
    const person = (first?.named ?? samplePeople()[0])?.person ?? {};
    const render = (text: string, where: 'body' | 'subject' | 'preheader') =>
      renderTags(text, language, {
        ...createRendering(person, { subject: email.subject, name: campaign.name ?? '' }),
        where,
      }).text;
    return {
      name: getCampaignName(campaign),
      service: campaigns.getServiceName(ref),
      action:
        repetition !== undefined
          ? t('Send Again…')
          : effect.isImmediate
            ? t('Send…')
            : t({ message: 'Schedule…', comment: 'Button that schedules a campaign' }),
      repetition,
      schedule: [effect.description, effect.warning ?? [], describeVersions(campaign, versions) ?? []].flat(),
      envelope: {
        subject: render(email.subject, 'subject'),
        preheader: render(email.preheader, 'preheader'),
        from_name: campaign.from_name ?? '',
        from_email: campaign.from_email ?? '',
        reply_to_name: campaign.reply_to_name ?? '',
        reply_to_email: campaign.reply_to_email ?? '',
      },
      html: render(composed.html, 'body'),
      personName: first?.named.title,
      text: composed.text && render(composed.text, 'body'),
      lists: lists?.map((list) => ({
        name: getListName(list),
        color: getListColor(list),
        subscriberCount: formatListSize(list),
      })),
      audience: formatForAudience(
        audience,
        getUnreportedListsNote(),
        [t('{0} recipient'), t('{0} recipients')],
        [t('More than {0} recipient'), t('More than {0} recipients')],
      ),
      ...checkResult,
      emptyTags: findEmptyTags([email.body, email.subject, email.preheader], language, sample),
      sampleSize: sample.length,
      unsubscribeHeader:
        profile === 'acymailing'
          ? getUnsubscribeHeader({ ...email, replyToEmail: campaign.reply_to_email ?? '' })
          : undefined,
      ...test,
    };
  });
}

/** Says who may get the email twice. Undefined if this is its first send. */
function describeRepetition({ campaign, unconfirmed }: SendPlan) {
  if (getCampaignState(campaign) === 'sent')
    return t('It was already sent. Everyone who got it will get it a second time.');
  return (
    unconfirmed && t('The service may still be sending it. If you send it again, all recipients may get it twice.')
  );
}

export function getUnreportedListsNote(): string {
  return t("The service doesn't report this campaign's lists. Check them on its website.");
}

type PluralTexts = readonly [one: string, other: string];

/** Texts for an unknown number of recipients, an exact one, and a minimum, with their arguments from `{1}` on. */
export type AudienceTexts = readonly [unknown: string, exact: PluralTexts, minimum: PluralTexts, ...args: string[]];

export function formatForAudience(
  audience: AudienceCount | undefined,
  ...[unknown, exact, minimum, ...args]: AudienceTexts
): string {
  return audience === undefined ? unknown : plural(audience.count, ...(audience.exact ? exact : minimum), ...args);
}

/** Composes the email as the service would. Only the profile `acymailing` defines a text part. Falls back to the stored body. */
async function composeEmail(
  { worker }: ExtensionServices,
  email: ReturnType<typeof toEmail>,
  options: { readonly profile: 'documented' | 'acymailing'; readonly site: string | undefined },
  signal: AbortSignal,
): Promise<{ readonly html: string; readonly text?: string }> {
  try {
    const job = (await worker()).run('compose', { email, options }, { signal, about: email.subject });
    const { html, text } = await job;
    return options.profile === 'acymailing' ? { html, text } : { html };
  } catch {
    signal.throwIfAborted();
    return { html: email.body };
  }
}

/** Describes the last test and whether it had the current text. */
async function readTestStatus(
  { documents, testLog }: ExtensionServices,
  ref: RecordRef,
  baseUrl: string,
): Promise<Pick<SendReview, 'testStatus' | 'isTested'>> {
  const lastTest = testLog.getLast({ connection: ref.connection, baseUrl, what: `tests/${collection}/${ref.id}` });
  if (lastTest === undefined) return { testStatus: t("This workspace hasn't sent a test."), isTested: false };
  const { at, fingerprint, recipients } = lastTest;
  const time = formatRequestTime({ asked: at });
  const lastSend = plural(
    recipients,
    t('The last test was sent to {0} recipient on {1}.'),
    t('The last test was sent to {0} recipients on {1}.'),
    time,
  );
  const message = await readCurrentMessage(documents, collection, campaignSuffixes, ref);
  const isTested = fingerprint === hashMessage(message);
  const comparison = isTested ? t('It had the current text.') : t('The text has changed since then.');
  return { testStatus: `${lastSend} ${comparison}`, isTested };
}

function toEmail(campaign: Campaign) {
  const { body, subject, from_email } = campaign;
  return {
    body: body ?? '',
    subject: subject ?? '',
    preheader: readStoredPreheader(campaign),
    fromEmail: from_email || undefined,
  } satisfies Email;
}

/** Returns the findings, errors first, or the reason why the checks failed. Throws only if the user cancels. */
async function checkCampaignEmail(
  { connections, worker, log }: ExtensionServices,
  connection: string,
  email: Email,
  signal: AbortSignal,
): Promise<Pick<SendReview, 'findings' | 'uncheckedReason'>> {
  try {
    const options = await getCheckOptions(
      connections,
      vscode.Uri.from({ scheme: 'mailing', authority: connection, path: '/' }),
      email.body,
    );
    const job = { email, options: { ...options, isForSending: true } };
    const { findings } = await (await worker()).run('check', job, { signal, about: email.subject });
    const sorted = (['error', 'warning'] as const).flatMap((severity) =>
      findings.filter((finding) => finding.severity === severity).map(({ message }) => ({ severity, message })),
    );
    return { findings: sorted };
  } catch (error) {
    if (isCanceled(error)) throw error;
    log.warn("Couldn't check a campaign before sending it.", error);
    return { findings: [], uncheckedReason: t`Couldn't check the email: ${errorText(error)}` };
  }
}
