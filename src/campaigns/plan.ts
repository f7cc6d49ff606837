import { findLists, moreLists } from '../api/allLists.ts';
import type { Campaign, MailingClient, MailingList, Page, Subscriber } from '../api/index.ts';
import type { ProfileName } from '../connections/model.ts';
import { sameMarks, type SendNote } from '../sending/sendNotes.ts';
import { dateTimeWords, readDateTime } from '../webviews/form/dateTime.ts';
import { validate } from './detailsSchema.ts';
import { isSendingType, rhythmWords, detailsOf, type CampaignDetails } from './model.ts';

/** Everything that the question before a sending names. */
export interface Plan {
  readonly campaign: Campaign;
  readonly effect: Effect;
  /** Undefined where the service does not tell the lists, and with them the audience. */
  readonly lists: readonly MailingList[] | undefined;
  readonly audience: Audience | undefined;
  /** The first of its recipients: none where they can't be read. */
  readonly sample: readonly Subscriber[];
  /** What was told to go out before, where the answer was lost and it is not known what came of it. */
  readonly lost: SendNote | undefined;
}

/** Records read to count the recipients of several lists: beyond that, "more than" is said. */
const countLimit = 5000;

/** What would go out, and to whom. Throws with the reason where a campaign can't be sent. */
export async function planOf(
  client: MailingClient,
  { id, profile, lost, signal }: { id: number; profile: ProfileName; lost: SendNote | undefined; signal: AbortSignal },
): Promise<Plan> {
  const campaign = await client.getCampaignById(id, { signal });
  const details = detailsOf(campaign);
  const [problem] = validate(details);
  if (problem !== undefined) throw unsendable(`${problem.path.join('.')}: ${problem.message}`);
  if ((campaign.body ?? '').trim() === '') throw unsendable('it has no text.');
  const effect = effectOf(details, profile, new Date().toISOString().slice(0, 10));
  const { listIds } = details;
  if (listIds === undefined) return { campaign, effect, lists: undefined, audience: undefined, sample: [], lost };
  if (listIds.length === 0) throw unsendable('no list is chosen.');
  const first = firstPage(client, listIds, signal);
  const [{ found: lists, missing, isCertain }, sample] = await Promise.all([findLists(client, listIds, signal), first.catch(() => [])]);
  const ids = missing.map((each) => `#${each}`).join(', ');
  if (missing.length > 0) throw unsendable(isCertain ? `the service has no list ${ids}.` : `list ${ids} can't be looked up. ${moreLists}`);
  const audience = toldAudience(lists) ?? (await countAudience(client, listIds, { limit: countLimit, signal, first }));
  if (audience.exact && audience.count === 0) throw unsendable('nobody is subscribed to its lists.');
  return { campaign, effect, lists, audience, sample, lost };
}

function unsendable(reason: string): Error {
  return new Error(`It can't be sent: ${reason} Nothing was sent.`);
}

/** How many people are on some lists. `exact` is false where there were more than were counted. */
export interface Audience {
  readonly count: number;
  readonly exact: boolean;
}

const pageSize = 500;

/** A single list's own count; undefined where the service does not give it. */
function toldAudience(lists: readonly MailingList[]): Audience | undefined {
  const own = lists.length === 1 ? Number(lists[0]?.subscribers ?? NaN) : NaN;
  return Number.isInteger(own) && own > 0 ? { count: own, exact: true } : undefined;
}

async function firstPage(client: MailingClient, listIds: readonly number[], signal: AbortSignal): Promise<readonly Subscriber[]> {
  return client.getSubscribersFromLists(listIds, { offset: 0, limit: pageSize }, { signal });
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
): Promise<Audience> {
  if (listIds.length === 0) return { count: 0, exact: true };
  const { paginate } = await import('../api/index.ts');
  const seen = new Set<number>();
  let read = 0;
  const fetchPage = (page: Page, options: { readonly signal: AbortSignal }): Promise<readonly Subscriber[]> =>
    page.offset === 0 && first !== undefined ? first : client.getSubscribersFromLists(listIds, page, options);
  const pages = paginate(fetchPage, { pageSize, ...(signal && { signal }) });
  for await (const { id } of pages) {
    if (read === limit) return { count: seen.size, exact: false };
    read += 1;
    seen.add(id);
  }
  return { count: seen.size, exact: true };
}

/**
 * What is another than it was when the user agreed to send a campaign, in words: what the question told of it, its text, and whether it was
 * sent meanwhile. Other fields of a record may change at each reading (a counter of views), and say nothing.
 */
export function changedSince(agreed: Campaign, now: Campaign): readonly string[] {
  const [before, after] = [toldOf(agreed), toldOf(now)];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((field) => !sameJson(before[field], after[field]));
  return sameMarks(agreed, now) ? fields : [...fields, 'whether it was sent'];
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function toldOf(campaign: Campaign): Readonly<Record<string, unknown>> {
  const { listIds, ...details } = detailsOf(campaign);
  // What installations send besides: the type as the service names it, the rhythm as it stands, the line after the subject.
  const { sending_type, sending_params, preheader, body } = campaign;
  return { ...details, sending_type, sending_params, preheader, body, listIds: listIds?.toSorted((one, other) => one - other) };
}

/** What the send route does with a campaign, in words for the question before it and for the news after it. */
export interface Effect {
  /** "goes out now". Follows the campaign's name. */
  readonly words: string;
  /** More that the user should know before agreeing. */
  readonly warning?: string;
  /** Whether e-mails leave at once. */
  readonly atOnce: boolean;
}

/** `today` as `YYYY-MM-DD`. Sources: the API document, "Sending rules"; and for `acymailing` what installations were seen to do. */
export function effectOf(details: CampaignDetails, profile: ProfileName, today: string): Effect {
  const { sending_type, sending_date = '' } = details;
  if (sending_type === 'now') return { words: 'goes out now', atOnce: true };
  const plan = plannedWords(details);
  if (profile === 'acymailing') {
    return {
      words: 'goes out now',
      warning:
        `This service sends at once when it is told to send. That the campaign ${plan} is not waited for: ` +
        "to have that, activate it on the service's website.",
      atOnce: true,
    };
  }
  const day = sending_date.slice(0, today.length);
  if (sending_type === 'scheduled' && day === today && readDateTime(sending_date)?.time) {
    const warning = 'Whether that time has passed is not known here: the service does not tell its time zone.';
    return { words: `${plan}, or now where that time has passed`, warning, atOnce: true };
  }
  if (sending_type === 'scheduled' && day <= today) {
    return { words: 'goes out now', warning: `Its date, ${dateTimeWords(sending_date)}, has come already.`, atOnce: true };
  }
  return { words: plan, atOnce: !isSendingType(sending_type) };
}

function plannedWords(details: CampaignDetails): string {
  const { sending_type, sending_date = '' } = details;
  if (sending_type === 'auto') return `goes out ${rhythmOf(details)}`;
  if (sending_type === 'scheduled') return `goes out on ${dateTimeWords(sending_date)}`;
  return `goes out by the rules of “${sending_type}”, which are not known here`;
}

function rhythmOf(details: CampaignDetails): string {
  const start = details.start_date === undefined ? '' : ` from ${dateTimeWords(details.start_date)}`;
  const confirmation = details.need_confirm === 0 ? 'without asking again' : 'after confirmation of each';
  return `${rhythmWords(details) ?? 'again and again'}${start}, ${confirmation}`;
}
