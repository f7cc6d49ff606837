import { isDeepStrictEqual } from 'node:util';
import { findLists, truncatedListsMessage } from '../../service/client/allLists.ts';
import type { Campaign, MailingClient, MailingList, Page, Subscriber } from '../../service/client/index.ts';
import type { ProfileName } from '../../platform/connections/model.ts';
import { isSameSendState, type SendEntry } from '../../platform/sending/sendJournal.ts';
import { formatCampaignDate, readDateTime } from '../../platform/webview/form/dateTime.ts';
import { validateCampaignDetails } from './detailsSchema.ts';
import { readCampaignDetails, isEmptyValue, isSendingType, describeFrequency, type CampaignDetails } from './model.ts';

/** Everything that the question before a sending names. */
export interface SendPlan {
  readonly campaign: Campaign;
  readonly effect: SendEffect;
  /** Undefined where the service does not tell the lists, and with them the audience. */
  readonly lists: readonly MailingList[] | undefined;
  readonly audience: AudienceCount | undefined;
  /** The first of its recipients: none where they can't be read. */
  readonly sample: readonly Subscriber[];
  /** What was told to go out before, where the answer was lost and it is not known what came of it. */
  readonly unconfirmed: SendEntry | undefined;
}

/** Records read to count the recipients of several lists: beyond that, "more than" is said. */
const MAX_RECIPIENTS_COUNTED = 5000;

/** What would go out, and to whom. Throws with the reason where a campaign can't be sent. */
export async function createSendPlan(
  client: MailingClient,
  {
    id,
    profile,
    unconfirmed,
    signal,
  }: { id: number; profile: ProfileName; unconfirmed: SendEntry | undefined; signal: AbortSignal },
): Promise<SendPlan> {
  const campaign = await client.getCampaignById(id, { signal });
  const details = readCampaignDetails(campaign);
  const [problem] = validateCampaignDetails(details);
  if (problem !== undefined) throw createUnsendableError(`${problem.path.join('.')}: ${problem.message}`);
  if ((campaign.body ?? '').trim() === '') throw createUnsendableError('it has no text.');
  const effect = getSendEffect(details, profile, new Date().toISOString().slice(0, 10));
  const { listIds } = details;
  if (listIds === undefined)
    return { campaign, effect, lists: undefined, audience: undefined, sample: [], unconfirmed };
  if (listIds.length === 0) throw createUnsendableError('no list is chosen.');
  const first = readFirstPage(client, listIds, signal);
  const [{ found: lists, missing, isCertain }, sample] = await Promise.all([
    findLists(client, listIds, signal),
    first.catch(() => []),
  ]);
  const ids = missing.map((each) => `#${each}`).join(', ');
  if (missing.length > 0)
    throw createUnsendableError(
      isCertain ? `the service has no list ${ids}.` : `list ${ids} can't be looked up. ${truncatedListsMessage}`,
    );
  const audience =
    getReportedAudience(lists) ??
    (await countAudience(client, listIds, { limit: MAX_RECIPIENTS_COUNTED, signal, first }));
  if (audience.exact && audience.count === 0) throw createUnsendableError('nobody is subscribed to its lists.');
  return { campaign, effect, lists, audience, sample, unconfirmed };
}

function createUnsendableError(reason: string): Error {
  return new Error(`It can't be sent: ${reason} Nothing was sent.`);
}

/** How many people are on some lists. `exact` is false where there were more than were counted. */
export interface AudienceCount {
  readonly count: number;
  readonly exact: boolean;
}

const SUBSCRIBER_PAGE_SIZE = 500;

/** A single list's own count; undefined where the service does not give it. */
function getReportedAudience(lists: readonly MailingList[]): AudienceCount | undefined {
  const reported = lists.length === 1 ? Number(lists[0]?.subscribers ?? NaN) : NaN;
  return Number.isInteger(reported) && reported > 0 ? { count: reported, exact: true } : undefined;
}

async function readFirstPage(
  client: MailingClient,
  listIds: readonly number[],
  signal: AbortSignal,
): Promise<readonly Subscriber[]> {
  return client.getSubscribersFromLists(listIds, { offset: 0, limit: SUBSCRIBER_PAGE_SIZE }, { signal });
}

/**
 * Counts the subscribers of lists, each once, page by page. The service has no operation that tells it, so at most `limit` records are
 * read. `first`: the first page, where it is being read already.
 *
 * Throws `ApiError`.
 */
export async function countAudience(
  client: MailingClient,
  listIds: readonly number[],
  { limit, signal, first }: { limit: number; signal?: AbortSignal; first?: Promise<readonly Subscriber[]> },
): Promise<AudienceCount> {
  if (listIds.length === 0) return { count: 0, exact: true };
  const { paginate } = await import('../../service/client/index.ts');
  const ids = new Set<number>();
  let readCount = 0;
  const fetchPage = (page: Page, options: { readonly signal: AbortSignal }): Promise<readonly Subscriber[]> =>
    page.offset === 0 && first !== undefined ? first : client.getSubscribersFromLists(listIds, page, options);
  const pages = paginate(fetchPage, { pageSize: SUBSCRIBER_PAGE_SIZE, ...(signal && { signal }) });
  for await (const { id } of pages) {
    if (readCount === limit) return { count: ids.size, exact: false };
    readCount += 1;
    ids.add(id);
  }
  return { count: ids.size, exact: true };
}

/** Fields that services change without anybody editing the campaign, and that have no effect on what is sent. */
const MAINTAINED_BY_SERVICE: ReadonlySet<string> = new Set([
  ...['views', 'last_seen', 'cache'],
  // Of AcyMailing: when an automatic campaign ran and runs, what its website's editor keeps aside, and a picture of the email.
  ...['last_generated', 'next_trigger', 'autosave', 'thumbnail'],
]);

/** Fields that `sameMarks` compares: they say whether the campaign was sent, but for its date. */
const SENT_STATE: ReadonlySet<string> = new Set(['draft', 'active', 'sent']);

/** Returns the names of the fields that differ from the record that the user agreed to, unknown fields included. */
export function findChangedFields(agreed: Campaign, now: Campaign): readonly string[] {
  const { sending_date } = now;
  const wasSent =
    !isSameSendState({ ...agreed, sending_date }, now) || (agreed.sent === 1 && !isSameSendState(agreed, now));
  const skipped = (field: string): boolean =>
    MAINTAINED_BY_SERVICE.has(field) || SENT_STATE.has(field) || (wasSent && field === 'sending_date');
  const fields = [...new Set([...Object.keys(agreed), ...Object.keys(now)])];
  const changed = fields.filter((field) => !skipped(field) && !isSameField(field, agreed[field], now[field]));
  return wasSent ? [...changed, 'whether it was sent'] : changed;
}

function isSameField(field: string, one: unknown, other: unknown): boolean {
  if (isEmptyValue(one) && isEmptyValue(other)) return true;
  const value = (of: unknown): unknown =>
    field === 'listIds' && Array.isArray(of) ? of.toSorted((left, right) => left - right) : of;
  return isDeepStrictEqual(value(one), value(other));
}

/**
 * Returns what changed since the user agreed, as `changedSince` does, without counters and times of the installation's own. The record is
 * read again only if nothing else changed: a counter is a number or a time that also differs between these two readings.
 */
export async function findEditedFields(
  agreed: Campaign,
  now: Campaign,
  readAgain: () => Promise<Campaign>,
): Promise<readonly string[]> {
  const changed = findChangedFields(agreed, now);
  const mayBeCounter = (field: string): boolean => [agreed[field], now[field]].every(isNumberOrTime);
  if (changed.length === 0 || !changed.every(mayBeCounter)) return changed;
  const again = await readAgain();
  const counting = findChangedFields(now, again).filter((field) => isNumberOrTime(again[field]));
  return findChangedFields(agreed, again).filter((field) => !counting.includes(field));
}

function isNumberOrTime(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^[\d\s.:TZ+-]+$/u.test(value));
}

/** What the send route does with a campaign, in words for the question before it and for the news after it. */
export interface SendEffect {
  /** "goes out now". Follows the campaign's name. */
  readonly description: string;
  /** More that the user should know before agreeing. */
  readonly warning?: string;
  /** Whether emails leave at once. */
  readonly isImmediate: boolean;
}

/** `today` as `YYYY-MM-DD`. Sources: the API document, "Sending rules"; and for `acymailing` what installations were seen to do. */
export function getSendEffect(details: CampaignDetails, profile: ProfileName, today: string): SendEffect {
  const { sending_type, sending_date = '' } = details;
  if (sending_type === 'now') return { description: 'goes out now', isImmediate: true };
  const plan = describeSchedule(details);
  if (profile === 'acymailing') {
    return {
      description: 'goes out now',
      warning:
        `This service sends at once when it is told to send. That the campaign ${plan} is not waited for: ` +
        "to have that, activate it on the service's website.",
      isImmediate: true,
    };
  }
  const day = sending_date.slice(0, today.length);
  if (sending_type === 'scheduled' && day === today && readDateTime(sending_date)?.time) {
    const warning = 'Whether that time has passed is not known here: the service does not tell its time zone.';
    return { description: `${plan}, or now where that time has passed`, warning, isImmediate: true };
  }
  if (sending_type === 'scheduled' && day <= today) {
    return {
      description: 'goes out now',
      warning: `Its date, ${formatCampaignDate(sending_date)}, has come already.`,
      isImmediate: true,
    };
  }
  return { description: plan, isImmediate: !isSendingType(sending_type) };
}

function describeSchedule(details: CampaignDetails): string {
  const { sending_type, sending_date = '' } = details;
  if (sending_type === 'auto') return `goes out ${describeAutomaticSchedule(details)}`;
  if (sending_type === 'scheduled') return `goes out on ${formatCampaignDate(sending_date)}`;
  return `goes out by the rules of “${sending_type}”, which are not known here`;
}

function describeAutomaticSchedule(details: CampaignDetails): string {
  const start = details.start_date === undefined ? '' : ` from ${formatCampaignDate(details.start_date)}`;
  const confirmation = details.need_confirm === 0 ? 'without asking again' : 'after confirmation of each';
  return `${describeFrequency(details) ?? 'again and again'}${start}, ${confirmation}`;
}
