import { readGroup, readRange } from '../query.ts';
import { emptyMail, mailFields, newCampaign, unitSeconds } from '../records.ts';
import type { StoredCampaign, Schedule, SendingType } from '../records.ts';
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
  pickColumns,
  pickTexts,
  readText,
  withRecord,
} from './route.ts';

const toSeconds = (time: number | null): number | null => (time === null ? null : Math.floor(time / 1000));

/** Columns of a collection, which are also its filters. */
const summaryColumns = [
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
] as const;
const columns = [
  ...summaryColumns,
  'body',
  'preheader',
  'from_name',
  'from_email',
  'reply_to_name',
  'reply_to_email',
  'bcc',
  'links_language',
  'tracking',
  'translation',
  'bounce_email',
  'listIds',
] as const;

function toCampaignRow(
  campaign: StoredCampaign,
  { mails }: Store,
  shownColumns: readonly (typeof columns)[number][],
): object {
  const { mail_id, sending_date, schedule, last_generated, next_trigger } = campaign;
  return pickColumns(
    {
      ...emptyMail,
      ...mails.get(mail_id),
      ...campaign,
      sending_date: sending_date === null ? null : formatTime(sending_date),
      sending_params: schedule ?? [],
      last_generated: toSeconds(last_generated),
      next_trigger: toSeconds(next_trigger),
      visible: 1,
      links_language: '',
      tracking: 1,
      translation: '',
    },
    shownColumns,
  );
}

function getCampaigns({ query, store }: RouteContext): RouteResult {
  const filters = Object.entries(readGroup(query, 'filters')).filter(([, value]) => value !== '');
  const unknownFilter = filters.find(([column]) => !summaryColumns.some((known) => known === column));
  if (unknownFilter)
    return fail(
      500,
      `Error getting the collection of campaigns: Unknown column '${unknownFilter[0]}' in 'where clause'`,
    );
  const { offset, limit } = readRange(query, 100, store.profile.limitCap);
  if (filters.some(([column]) => store.profile.deadCampaignFilters.includes(column))) return ok([]);
  // `name` and `subject` match substrings; the others match the complete value.
  const matches = (campaign: StoredCampaign): boolean => {
    const values = new Map<string, unknown>(Object.entries(toCampaignRow(campaign, store, summaryColumns)));
    return filters.every(([column, value]) => {
      const actual = String(values.get(column) ?? '');
      return column === 'name' || column === 'subject' ? containsIgnoreCase(actual, value) : actual === value;
    });
  };
  const page = store.campaigns.page(offset, limit, matches);
  return ok(page.map((campaign) => toCampaignRow(campaign, store, summaryColumns)));
}

/** The schedule fields of a campaign, or an error message. */
type Plan = Partial<StoredCampaign> | string;

const planReaders: Readonly<Record<SendingType, (call: RouteContext) => Plan>> = {
  now: () => ({}),
  scheduled({ body }) {
    const date = parseTime(readText(body['sending_date']) ?? '');
    return date === undefined ? "'sending_date' not provided in the request body." : { sending_date: date };
  },
  auto(call) {
    const schedule = readSchedule(call);
    if (typeof schedule === 'string') return schedule;
    const { store } = call;
    const start =
      typeof schedule.start_date === 'number' ? schedule.start_date * 1000 : parseTime(schedule.start_date ?? '');
    const period = getPeriodMs({ schedule });
    return {
      schedule,
      next_trigger: start !== undefined && start > store.now() ? start : store.now() + period,
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
  const mail_id = before?.mail_id ?? store.nextId('mail');
  store.mails.set({ ...emptyMail, ...pickTexts(body, mailFields), id: mail_id });
  store.campaigns.set({
    ...newCampaign,
    parent_id: before?.parent_id ?? null,
    last_generated: before?.last_generated ?? null,
    sending_type: type,
    ...plan,
    id,
    mail_id,
    listIds: listIds.length > 0 ? [...new Set(existingIds)] : (before?.listIds ?? []),
  });
  const { created, updated } = store.profile.campaignStatus;
  return ok({ campaignId: id, ...(errors.length > 0 && { errors }) }, before ? updated : created);
}

const campaignId = { name: 'campaignId', missing: 'campaignId not provided', notFound: 'Campaign not found.' };

export const campaignRoutes: RouteHandlers = {
  getCampaigns: { failure: 'Error getting the collection of campaigns: <detail>', run: getCampaigns },
  getCampaignById: {
    failure: 'Error getting the campaign: <detail>',
    run: (call) =>
      withRecord(call, call.store.campaigns, campaignId, (campaign) =>
        ok([toCampaignRow(campaign, call.store, columns)]),
      ),
  },
  createOrUpdateCampaign: { failure: 'Error saving the campaign: <detail>', run: createOrUpdateCampaign },
  sendCampaign: {
    failure: 'Could not send campaign: <detail>',
    run: (call) =>
      withRecord(call, call.store.campaigns, campaignId, (campaign) => {
        const errors = call.mailer.start(campaign);
        return errors.length > 0
          ? { status: 500, body: { message: 'Could not send campaign', errors } }
          : okMessage('Campaign sent successfully.');
      }),
  },
  deleteCampaign: {
    failure: 'Error deleting the campaign: <detail>',
    run: (call) =>
      withRecord(call, call.store.campaigns, campaignId, ({ id, mail_id }) => {
        const { store } = call;
        const versions = store.sendings.get(id)?.versions ?? [];
        for (const mailId of [mail_id, ...versions.map((mail) => mail.id)]) store.mails.delete(mailId);
        store.campaigns.delete(id);
        store.sendings.delete(id);
        return okMessage('Campaign deleted successfully.');
      }),
  },
};
