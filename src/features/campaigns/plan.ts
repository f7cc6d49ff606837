import { t } from '@vscode/l10n';
import { paginate } from '../../service/client/paginate.ts';
import { formatList, formatNumber, plural } from '../../l10n.ts';
import { getListName } from '../lists/model.ts';
import { isDeepStrictEqual } from 'node:util';
import { findLists, truncatedListsMessage } from '../../service/client/allLists.ts';
import type { Campaign, MailingClient, MailingList, Page, Subscriber } from '../../service/client/index.ts';
import type { ProfileName } from '../../platform/connections/model.ts';
import type { EmptyTag } from './review/protocol.ts';
import {
  createCustomFields,
  createRendering,
  findContentTags,
  hasNamekey,
  parseTags,
  renderTags,
  type NamedPerson,
  type TagLanguage,
} from '../../email/tags/index.ts';
import { joinParts } from '../../service/format.ts';
import type { SendEntry } from '../../sync/requests/kinds.ts';
import { isSameSendState } from '../sending/sendState.ts';
import { formatCampaignDate } from '../../ui/page/form/dateTime.ts';
import { validateCampaignDetails } from './documents.ts';
import { readCampaignDetails, isEmptyValue, type CampaignDetails } from './details.ts';
import { describeFrequency } from './wording.ts';

/** Everything that the review and the confirmation before a send show. */
export interface SendPlan {
  readonly campaign: Campaign;
  readonly profile: ProfileName;
  readonly effect: SendEffect;
  /** Undefined if the service doesn't report the lists. The audience is then undefined too. */
  readonly lists: readonly MailingList[] | undefined;
  readonly audience: AudienceCount | undefined;
  /** The first recipients. Empty if they can't be read. */
  readonly sample: readonly Subscriber[];
  /** An earlier send whose response was lost and whose outcome is still unknown. */
  readonly unconfirmed: SendEntry | undefined;
}

/** Beyond this number of records, the confirmation says "more than". */
const MAX_RECIPIENTS_COUNTED = 5000;

/** Reads the campaign and its recipients. Throws with the reason if the campaign can't be sent. */
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
  if (problem !== undefined)
    throw createUnsendableError(t`The field "${problem.path.join('.')}" is invalid: ${problem.message}`);
  if ((campaign.body ?? '').trim() === '')
    throw createUnsendableError(t('The campaign has no text: open its body to write it.'));
  const effect = getSendEffect(details, profile, Date.now());
  const { listIds } = details;
  const plan = { campaign, profile, effect, unconfirmed };
  if (listIds === undefined) return { ...plan, lists: undefined, audience: undefined, sample: [] };
  if (listIds.length === 0) throw createUnsendableError(t('The campaign has no lists: select some in its form.'));
  const readFirstPage = async () =>
    client.getSubscribersFromLists(listIds, { offset: 0, limit: SUBSCRIBER_PAGE_SIZE }, { signal });
  const first = readFirstPage();
  const [{ found: lists, missing, isCertain }, sample] = await Promise.all([
    findLists(client, listIds, signal),
    first.catch(() => []),
  ]);
  const ids = missing.map((each) => `#${each}`).join(', ');
  if (missing.length > 0)
    throw createUnsendableError(
      isCertain
        ? plural(missing.length, t`The service has no list ${ids}.`, t`The service has no lists ${ids}.`)
        : `${plural(missing.length, t`Couldn't check list ${ids}.`, t`Couldn't check lists ${ids}.`)} ${truncatedListsMessage()}`,
    );
  const audience =
    getReportedAudience(lists) ??
    (await countAudience(client, listIds, { limit: MAX_RECIPIENTS_COUNTED, signal, first }));
  if (audience.exact && audience.count === 0)
    throw createUnsendableError(t('The lists of the campaign have no subscribers.'));
  return { ...plan, lists, audience, sample };
}

/**
 * Throws `PlanChangedError` unless a send now would be the planned one: the same record, as `findEditedFields` compares, the same time, and the
 * same lists and number of recipients. `now`: the record as just read.
 */
export async function assertSamePlan(client: MailingClient, plan: SendPlan, now: Campaign): Promise<void> {
  const { campaign, profile, effect } = plan;
  const edited = await findEditedFields(campaign, now, () => client.getCampaignById(campaign.id));
  const hasSameEffect = isDeepStrictEqual(getSendEffect(readCampaignDetails(now), profile, Date.now()), effect);
  const changed = edited.length === 0 && !hasSameEffect ? ['sending_date'] : edited;
  if (changed.length > 0)
    throw new PlanChangedError(
      t`The campaign changed during the confirmation (${formatList(changed)}). Nothing was sent: send it again to review the current version.`,
    );
  await assertSameAudience(client, plan);
}

/** Counts the recipients again. Throws `PlanChangedError` if their number or the lists' names changed. */
export async function assertSameAudience(client: MailingClient, { lists, audience }: SendPlan): Promise<void> {
  if (lists === undefined || audience === undefined) return;
  const ids = lists.map(({ id }) => id);
  const { found } = await findLists(client, ids, new AbortController().signal);
  const now = getReportedAudience(found) ?? (await countAudience(client, ids, { limit: MAX_RECIPIENTS_COUNTED }));
  const changes = [
    ...(isDeepStrictEqual(found.map(getListName), lists.map(getListName)) ? [] : [t('the lists')]),
    ...(isDeepStrictEqual(now, audience)
      ? []
      : [t`recipients: ${formatAudience(audience)}, now ${formatAudience(now)}`]),
  ];
  if (changes.length > 0)
    throw new PlanChangedError(
      `${t`The recipients changed during the confirmation (${formatList(changes)}).`} ${t('Nothing was sent.')}`,
    );
}

/** What the user reviewed isn't what would be sent. */
export class PlanChangedError extends Error {}

/** Returns the number of versions of the email; 0 if the service doesn't report it. */
export async function countVersions(client: MailingClient, id: number): Promise<number> {
  return client.getCampaignVersions(id).then(
    ({ length }) => length,
    () => 0,
  );
}

function formatAudience({ count, exact }: AudienceCount) {
  return exact ? formatNumber(count) : t`more than ${formatNumber(count)}`;
}

function createUnsendableError(reason: string) {
  return new Error(`${reason} ${t('Nothing was sent.')}`);
}

/** The number of subscribers of some lists. `exact` is false if counting stopped at the limit. */
export interface AudienceCount {
  readonly count: number;
  readonly exact: boolean;
}

const SUBSCRIBER_PAGE_SIZE = 500;

/** Returns the subscriber count that the service reports for a single list. Undefined if it doesn't. */
function getReportedAudience(lists: readonly MailingList[]): AudienceCount | undefined {
  const reported = lists.length === 1 ? Number(lists[0]?.subscribers ?? NaN) : NaN;
  return Number.isInteger(reported) && reported > 0 ? { count: reported, exact: true } : undefined;
}

/**
 * Counts the distinct subscribers of lists. The service has no operation for this, so it reads at most `limit` records, page by page.
 * `first`: the first page, if a request for it is already running.
 *
 * Throws `ApiError`.
 */
export async function countAudience(
  client: MailingClient,
  listIds: readonly number[],
  { limit, signal, first }: { limit: number; signal?: AbortSignal; first?: Promise<readonly Subscriber[]> },
): Promise<AudienceCount> {
  if (listIds.length === 0) return { count: 0, exact: true };
  const ids = new Set<number>();
  let readCount = 0;
  const fetchPage = (page: Page, options: { readonly signal: AbortSignal }) =>
    page.offset === 0 && first !== undefined ? first : client.getSubscribersFromLists(listIds, page, options);
  const pages = paginate(fetchPage, { pageSize: SUBSCRIBER_PAGE_SIZE, signal });
  for await (const { id } of pages) {
    if (readCount === limit) return { count: ids.size, exact: false };
    readCount += 1;
    ids.add(id);
  }
  return { count: ids.size, exact: true };
}

/** Fields that services change without a user edit, and that don't affect the sent email. */
const MAINTAINED_BY_SERVICE = new Set<string>([
  ...['views', 'last_seen', 'cache'],
  // Also in `sending_params`.
  'siteParams',
  // AcyMailing: run times of automatic campaigns, the autosave of its editor, and a thumbnail.
  ...['last_generated', 'next_trigger', 'autosave', 'thumbnail'],
]);

/** The fields that `isSameSendState` compares, except for the date. */
const SENT_STATE = new Set<string>(['draft', 'active', 'sent']);

/** Returns the names of the fields that differ from the record that the user agreed to, unknown fields included, for messages. */
export function findChangedFields(agreed: Campaign, now: Campaign): readonly string[] {
  const { sending_date } = now;
  const wasSent =
    !isSameSendState({ ...agreed, sending_date }, now) || (agreed.sent === 1 && !isSameSendState(agreed, now));
  const skipped = (field: string) =>
    MAINTAINED_BY_SERVICE.has(field) || SENT_STATE.has(field) || (wasSent && field === 'sending_date');
  const fields = [...new Set([...Object.keys(agreed), ...Object.keys(now)])];
  const changed = fields.filter((field) => !skipped(field) && !isSameField(field, agreed[field], now[field]));
  return wasSent ? [...changed, t('sending state')] : changed;
}

function isSameField(field: string, one: unknown, other: unknown) {
  if (isEmptyValue(one) && isEmptyValue(other)) return true;
  const value = (of: unknown) =>
    field === 'listIds' && Array.isArray(of) ? of.toSorted((left, right) => left - right) : of;
  return isDeepStrictEqual(value(one), value(other));
}

/**
 * Returns the fields that changed since the user agreed, as `findChangedFields` does, but ignores counters and times that the installation
 * maintains. Reads the record again only if nothing else changed: a counter is a number or a time that also differs between these reads.
 */
export async function findEditedFields(
  agreed: Campaign,
  now: Campaign,
  readAgain: () => Promise<Campaign>,
): Promise<readonly string[]> {
  const changed = findChangedFields(agreed, now);
  const mayBeCounter = (field: string) => [agreed[field], now[field]].every(isNumberOrTime);
  if (changed.length === 0 || !changed.every(mayBeCounter)) return changed;
  const again = await readAgain();
  const counting = findChangedFields(now, again).filter((field) => isNumberOrTime(again[field]));
  return findChangedFields(agreed, again).filter((field) => !counting.includes(field));
}

function isNumberOrTime(value: unknown) {
  return typeof value === 'number' || (typeof value === 'string' && /^[\d\s.:TZ+-]+$/u.test(value));
}

/** The effect of sending a campaign, as the confirmation and the notification describe it. */
interface SendEffect {
  /** As a sentence: "Sends immediately." */
  readonly description: string;
  readonly warning?: string;
  readonly isImmediate: boolean;
  /** It may not be immediate after all. */
  readonly mayBeLater?: true;
}

/** Returns what sending does, by "Sending rules" of the API document; for `acymailing`, by observed behavior. `now`: in ms since the epoch. */
export function getSendEffect(details: CampaignDetails, profile: ProfileName, now: number): SendEffect {
  const { sending_type, sending_date = '' } = details;
  const immediately = t('Sends immediately.');
  if (sending_type === 'now') return { description: immediately, isImmediate: true };
  const schedule = describeSchedule(details);
  if (profile === 'acymailing') {
    return {
      description: immediately,
      warning: t`This service ignores the campaign's schedule (${schedule}). To follow it, activate the campaign on the service's website.`,
      isImmediate: true,
    };
  }
  // The service may be in any time zone, from UTC-12 to UTC+14.
  const [firstDay = '', lastDay = ''] = [-12, 14].map((hours) =>
    new Date(now + hours * 3_600_000).toISOString().slice(0, 10),
  );
  if (sending_type === 'scheduled' && sending_date.slice(0, 10) < firstDay) {
    return {
      description: immediately,
      warning: t`The campaign's date has passed (${schedule}).`,
      isImmediate: true,
    };
  }
  if (sending_type === 'scheduled' && sending_date.slice(0, 10) <= lastDay) {
    return {
      description: t`Sends on ${schedule}, or immediately if that time has passed.`,
      warning: t("The service doesn't report its time zone, so this time may have passed."),
      isImmediate: true,
      mayBeLater: true,
    };
  }
  if (sending_type === 'auto') return { description: t`Sends automatically: ${schedule}.`, isImmediate: false };
  return sending_type === 'scheduled'
    ? { description: t`Sends on ${schedule}.`, isImmediate: false }
    : { description: t`Sends by the service's own rules ("${schedule}").`, isImmediate: true, mayBeLater: true };
}

/** Returns the date, the parts of an automatic schedule, or the name of an installation-specific sending type. */
function describeSchedule(details: CampaignDetails) {
  const { sending_type, sending_date = '', start_date, need_confirm } = details;
  if (sending_type === 'scheduled') return formatCampaignDate(sending_date);
  if (sending_type !== 'auto') return sending_type;
  return joinParts([
    describeFrequency(details) ?? t('repeatedly'),
    start_date !== undefined &&
      t({
        message: 'from {0}',
        args: [formatCampaignDate(start_date)],
        comment: 'First date of an automatic campaign',
      }),
    need_confirm === 0 ? t('without confirmation') : t('each email after confirmation'),
  ]);
}

const MAX_TAGS = 50;

/** A subscriber, with the data that tags are replaced with. */
export interface SampledSubscriber {
  readonly subscriber: Subscriber;
  readonly named: NamedPerson;
}

/**
 * Returns the subscriber tags that render as empty text for part of the sample, and the content tags. Tags whose field the service reports for no subscriber
 * are skipped, because their values are unknown.
 */
export function findEmptyTags(
  texts: readonly string[],
  language: TagLanguage,
  sample: readonly SampledSubscriber[],
): readonly EmptyTag[] {
  const reportedFields = new Set(sample.flatMap(({ subscriber }) => Object.keys(subscriber)));
  const customFields = createCustomFields([...reportedFields]);
  const isReported = (id: string) => reportedFields.has(id) || customFields.some((field) => hasNamekey(field, id));
  const personFamilies = language.families.filter(({ source }) => source === 'subscriber');
  const families = new Set(personFamilies.flatMap(({ name, aliases }) => [name, ...aliases]));
  const tags = texts.flatMap((text) =>
    parseTags(text, language)
      .filter(({ family, id }) => family !== undefined && families.has(family) && isReported(id ?? ''))
      .map(({ start, end }) => text.slice(start, end)),
  );
  const emptyTags = [...new Set(tags)].slice(0, MAX_TAGS).flatMap((tag) => {
    const empty = sample.filter(
      ({ named }) => renderTags(tag, language, createRendering(named.person)).text.trim() === '',
    ).length;
    return empty === 0 ? [] : [{ tag, summary: t`empty for ${empty} of ${sample.length}` }];
  });
  const summary = t('The service adds the content when it sends the email.');
  const content = texts.flatMap((text) =>
    findContentTags(text, language).map(({ start, end }) => text.slice(start, end)),
  );
  return [...emptyTags, ...[...new Set(content)].slice(0, MAX_TAGS).map((tag) => ({ tag, summary, isNote: true }))];
}
