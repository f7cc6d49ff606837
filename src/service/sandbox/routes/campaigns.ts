import { readGroup, readId, readRange } from '../query.ts';
import { emptyMail, mailFields, unitSeconds } from '../records.ts';
import type { StoredCampaign, StoredMail, Schedule, SendingType } from '../records.ts';
import type { Store } from '../store.ts';
import { getPeriodMs } from '../mailer.ts';
import { parseTime, formatTime } from '../time.ts';
import type { RouteResult, RouteContext, RouteHandlers } from './route.ts';
import {
  containsIgnoreCase,
  okMessage,
  fail,
  readFlag,
  readIdList,
  readNumber,
  readObject,
  ok,
  pickTexts,
  readText,
} from './route.ts';

const toSeconds = (time: number | null): number | null => (time === null ? null : Math.floor(time / 1000));

/** Returns the list row of a campaign, without body and sender. */
function toCampaignSummary(
  {
    id,
    mailId,
    sendingType,
    sendingDate,
    draft,
    active,
    sent,
    schedule,
    parentId,
    lastGenerated,
    nextTrigger,
  }: StoredCampaign,
  { subject, name }: StoredMail,
) {
  return {
    id,
    sending_date: sendingDate === null ? null : formatTime(sendingDate),
    draft,
    active,
    mail_id: mailId,
    sent,
    sending_type: sendingType,
    sending_params: schedule ?? [],
    parent_id: parentId,
    last_generated: toSeconds(lastGenerated),
    next_trigger: toSeconds(nextTrigger),
    visible: 1,
    subject,
    name,
  };
}

function toCampaignRow(campaign: StoredCampaign, mail: StoredMail): object {
  const { body, preheader, from_name, from_email, reply_to_name, reply_to_email, bcc, bounce_email } = mail;
  return {
    ...toCampaignSummary(campaign, mail),
    body,
    preheader,
    from_name,
    from_email,
    reply_to_name,
    reply_to_email,
    bcc,
    links_language: '',
    tracking: 1,
    translation: '',
    bounce_email,
    listIds: campaign.listIds,
  };
}

const getMail = (campaign: StoredCampaign, store: Store): StoredMail =>
  store.mails.get(campaign.mailId) ?? { ...emptyMail, id: campaign.mailId };

/** Columns for filters. `name` and `subject` match substrings; the others match the complete value. */
const filterColumns = new Set([
  'id',
  'sending_date',
  'draft',
  'active',
  'mail_id',
  'sent',
  'sending_type',
  'sending_params',
  'parent_id',
  'last_generated',
  'next_trigger',
  'visible',
  'subject',
  'name',
]);

function getCampaigns({ query, store }: RouteContext): RouteResult {
  const filters = Object.entries(readGroup(query, 'filters')).filter(([, value]) => value !== '');
  const unknownFilter = filters.find(([column]) => !filterColumns.has(column));
  if (unknownFilter)
    return fail(
      500,
      `Error getting the collection of campaigns: Unknown column '${unknownFilter[0]}' in 'where clause'`,
    );
  const { offset, limit } = readRange(query, 100, store.profile.limitCap);
  if (filters.some(([column]) => store.profile.deadCampaignFilters.includes(column))) return ok([]);
  const matches = (campaign: StoredCampaign): boolean => {
    const values = new Map<string, unknown>(Object.entries(toCampaignSummary(campaign, getMail(campaign, store))));
    return filters.every(([column, value]) => {
      const actual = String(values.get(column) ?? '');
      return column === 'name' || column === 'subject' ? containsIgnoreCase(actual, value) : actual === value;
    });
  };
  return ok(
    store.campaigns
      .page(offset, limit, matches)
      .map((campaign) => toCampaignSummary(campaign, getMail(campaign, store))),
  );
}

/** The schedule fields of a campaign, or an error message. */
type Plan = Pick<StoredCampaign, 'sendingType' | 'sendingDate' | 'schedule' | 'nextTrigger'> | string;

const planReaders: Readonly<Record<SendingType, (call: RouteContext) => Plan>> = {
  now: () => ({ sendingType: 'now', sendingDate: null, schedule: null, nextTrigger: null }),
  scheduled({ body }) {
    const date = parseTime(readText(body['sending_date']) ?? '');
    return date === undefined
      ? "'sending_date' not provided in the request body."
      : { sendingType: 'scheduled', sendingDate: date, schedule: null, nextTrigger: null };
  },
  auto(call) {
    const schedule = readSchedule(call);
    if (typeof schedule === 'string') return schedule;
    const { store } = call;
    const start =
      typeof schedule.start_date === 'number' ? schedule.start_date * 1000 : parseTime(schedule.start_date ?? '');
    const period = getPeriodMs({ schedule });
    return {
      sendingType: 'auto',
      sendingDate: null,
      schedule,
      nextTrigger: start !== undefined && start > store.now() ? start : store.now() + period,
    };
  },
};

function readSchedule({ body, store }: RouteContext): Schedule | string {
  const start = body['start_date'];
  const start_date = store.profile.startDateIsTimestamp ? readNumber(start) : readText(start);
  const common = {
    need_confirm_to_send: readFlag(body['need_confirm']) ?? 1,
    ...(start_date && { start_date }),
  } as const;
  if (body['frequency'] === 'cron') return { trigger_type: 'asap', ...common };
  if (body['frequency'] !== 'every') return 'Invalid frequency.';
  const options = readObject(body['frequency_options']);
  if (!options) return 'Invalid frequency options.';
  const type = ['hour', 'day', 'week', 'month'].includes(String(options['unit']))
    ? unitSeconds[`${String(options['unit'])}s`]
    : undefined;
  if (type === undefined) return 'Invalid frequency unit.';
  const number = readNumber(options['value']);
  return number === undefined
    ? 'Invalid frequency option value.'
    : { trigger_type: 'every', every: { type, number }, ...common };
}

const isSendingType = (type: unknown): type is SendingType =>
  typeof type === 'string' && Object.hasOwn(planReaders, type);

/** Resets omitted fields, except the lists, and turns an updated campaign into a draft. */
function createOrUpdateCampaign(call: RouteContext): RouteResult {
  const { body, store } = call;
  const given = body['campaignId'];
  const before = given === undefined ? undefined : store.campaigns.get(readNumber(given) ?? 0);
  if (given !== undefined && !before) return fail(404, 'Campaign not found.');
  if (!readText(body['subject']) || !readText(body['name']))
    return fail(422, "Missing required parameters 'subject' or 'name'");
  const type = body['sending_type'] ?? 'now';
  if (!isSendingType(type)) return fail(422, 'Invalid sending type.');
  const plan = planReaders[type](call);
  if (typeof plan === 'string') return fail(422, plan);

  const listIds = readIdList(body['listIds']) ?? [];
  const existingIds = listIds.filter((id) => store.lists.get(id));
  const errors = listIds.filter((id) => !store.lists.get(id)).map((id) => `List not found: ${id}`);
  const id = before?.id ?? store.nextId('campaign');
  const mailId = before?.mailId ?? store.nextId('mail');
  store.mails.set({ ...emptyMail, ...pickTexts(body, mailFields), id: mailId });
  store.campaigns.set({
    parentId: before?.parentId ?? null,
    lastGenerated: before?.lastGenerated ?? null,
    ...plan,
    id,
    mailId,
    draft: 1,
    active: 0,
    sent: 0,
    listIds: listIds.length > 0 ? [...new Set(existingIds)] : (before?.listIds ?? []),
  });
  const { created, updated } = store.profile.campaignStatus;
  return ok({ campaignId: id, ...(errors.length > 0 && { errors }) }, before ? updated : created);
}

/** Runs `use` with the campaign of the query. */
function withCampaign({ query, store }: RouteContext, use: (campaign: StoredCampaign) => RouteResult): RouteResult {
  const id = readId(query, 'campaignId');
  if (!id) return fail(422, 'campaignId not provided');
  const campaign = store.campaigns.get(id);
  return campaign ? use(campaign) : fail(404, 'Campaign not found.');
}

export const campaignRoutes: RouteHandlers = {
  getCampaigns: { method: 'GET', failure: 'Error getting the collection of campaigns: <detail>', run: getCampaigns },
  getCampaignById: {
    method: 'GET',
    failure: 'Error getting the campaign: <detail>',
    run: (call) => withCampaign(call, (campaign) => ok([toCampaignRow(campaign, getMail(campaign, call.store))])),
  },
  createOrUpdateCampaign: {
    method: 'POST',
    failure: 'Error saving the campaign: <detail>',
    run: createOrUpdateCampaign,
  },
  sendCampaign: {
    method: 'POST',
    failure: 'Could not send campaign: <detail>',
    run: (call) =>
      withCampaign(call, (campaign) => {
        const errors = call.mailer.start(campaign);
        return errors.length > 0
          ? { status: 500, body: { message: 'Could not send campaign', errors } }
          : okMessage('Campaign sent successfully.');
      }),
  },
  deleteCampaign: {
    method: 'DELETE',
    failure: 'Error deleting the campaign: <detail>',
    run: (call) =>
      withCampaign(call, ({ id, mailId }) => {
        call.store.campaigns.delete(id);
        for (const version of [mailId, ...(call.store.sendings.get(id)?.versions ?? []).map((mail) => mail.id)])
          call.store.mails.delete(version);
        call.store.sendings.delete(id);
        return okMessage('Campaign deleted successfully.');
      }),
  },
};
