import {
  emptyMail,
  formatTime,
  mailFields,
  newCampaign,
  parseTime,
  type StoredCampaign,
  type Schedule,
} from '../records.ts';
import type { Store } from '../store.ts';
import { getPeriodMs } from '../mailer.ts';
import {
  okMessage,
  fail,
  findRecord,
  findUpdated,
  readFlag,
  matchesFilters,
  readFilters,
  readIdList,
  readNumber,
  readObject,
  readPageRange,
  ok,
  pickTexts,
  readText,
  Refusal,
  unitSeconds,
  type RouteContext,
  type Routes,
} from './route.ts';

const toSeconds = (time: number | null) => (time === null ? null : Math.floor(time / 1000));

/** Creates a row of a collection. Its columns are also the filters. */
function toSummary({ schedule, listIds: _listIds, ...campaign }: StoredCampaign, { mails }: Store) {
  const { name, subject } = mails.get(campaign.mail_id) ?? emptyMail;
  return {
    ...campaign,
    sending_date: campaign.sending_date === null ? null : formatTime(campaign.sending_date),
    sending_params: schedule ?? [],
    last_generated: toSeconds(campaign.last_generated),
    next_trigger: toSeconds(campaign.next_trigger),
    visible: 1,
    subject,
    name,
  };
}

function toCampaignRow(campaign: StoredCampaign, store: Store) {
  const { headers: _headers, stylesheet: _stylesheet, ...mail } = store.mails.get(campaign.mail_id) ?? emptyMail;
  return {
    ...mail,
    ...toSummary(campaign, store),
    links_language: '',
    tracking: 1,
    translation: '',
    listIds: campaign.listIds,
  };
}

/** Filters of installations that never match. */
const deadFilters: ReadonlySet<string> = new Set(['sending_type', 'draft']);

function getCampaigns(call: RouteContext) {
  const { query, store } = call;
  const filters = readFilters(query, 'filters');
  const rows = store.campaigns.all().map((campaign) => toSummary(campaign, store));
  const unknownFilter = filters.find(([column]) => rows.some((row) => !Object.hasOwn(row, column)));
  if (unknownFilter)
    fail(500, `Error getting the collection of campaigns: Unknown column '${unknownFilter[0]}' in 'where clause'`);
  if (store.profile.isInstallation && filters.some(([column]) => deadFilters.has(column))) return ok([]);
  const [offset, limit] = readPageRange(call);
  return ok(rows.filter((row) => matchesFilters(row, filters)).slice(offset, offset + limit));
}

/** Reads the sending type and its fields. */
function readPlan(call: RouteContext, before?: StoredCampaign): Partial<StoredCampaign> {
  const { body, store } = call;
  const { sending_type = 'now', sending_date } = body;
  const params = store.profile.isInstallation ? readObject(body['sending_params']) : undefined;
  const kept = store.profile.isInstallation ? { ...params, ...before?.schedule } : {};
  const schedule = Object.keys(kept).length > 0 ? kept : null;
  if (sending_type === 'now') return { sending_type, schedule };
  if (sending_type === 'scheduled') {
    const date = parseTime(readText(sending_date));
    return {
      sending_type,
      schedule,
      sending_date: date ?? fail(422, "'sending_date' not provided in the request body."),
    };
  }
  if (sending_type !== 'auto') fail(422, 'Invalid sending type.');
  const auto = readSchedule(call);
  const { start_date = '' } = auto;
  const start = typeof start_date === 'number' ? start_date * 1000 : (parseTime(start_date) ?? 0);
  const now = store.now();
  const next_trigger = start > now ? start : now + getPeriodMs(auto);
  return { sending_type, schedule: { ...params, ...auto }, next_trigger };
}

function readSchedule({ body, store }: RouteContext): Schedule {
  const start = body['start_date'];
  const start_date = store.profile.isInstallation ? readNumber(start) : readText(start);
  const common = {
    need_confirm_to_send: readFlag(body['need_confirm']) ?? 1,
    ...(start_date && { start_date }),
  };
  if (body['frequency'] === 'cron') return { trigger_type: 'asap', ...common };
  if (body['frequency'] !== 'every') fail(422, 'Invalid frequency.');
  const options = readObject(body['frequency_options']) ?? fail(422, 'Invalid frequency options.');
  const unit = options['unit'] === 'minute' ? '' : `${String(options['unit'])}s`;
  const type = unitSeconds.get(unit) ?? fail(422, 'Invalid frequency unit.');
  const number = readNumber(options['value']) ?? fail(422, 'Invalid frequency option value.');
  return { trigger_type: 'every', every: { type, number }, ...common };
}

/** Resets omitted fields, except the lists, and turns an updated campaign into a draft. */
function createOrUpdateCampaign(call: RouteContext) {
  const { body, store } = call;
  const before = findUpdated(body['campaignId'], store.campaigns, 'Campaign not found.');
  if (!readText(body['subject']) || !readText(body['name']))
    fail(422, "Missing required parameters 'subject' or 'name'");
  const plan = readPlan(call, before);
  const listIds = readIdList(body['listIds']) ?? [];
  const existingIds = listIds.filter((id) => store.lists.has(id));
  const errors = listIds.filter((id) => !store.lists.has(id)).map((id) => `List not found: ${id}`);
  const id = before?.id ?? store.nextId('campaign');
  const mail_id = before?.mail_id ?? store.nextId('mail');
  store.mails.put({ ...emptyMail, ...pickTexts(body, mailFields), id: mail_id });
  store.campaigns.put({
    ...newCampaign,
    parent_id: before?.parent_id ?? null,
    last_generated: before?.last_generated ?? null,
    ...plan,
    id,
    mail_id,
    listIds: listIds.length > 0 ? [...new Set(existingIds)] : (before?.listIds ?? []),
  });
  const { created, updated } = store.profile.campaignStatus;
  return ok({ campaignId: id, ...(errors.length > 0 && { errors }) }, before ? updated : created);
}

const findCampaign = ({ query, store }: RouteContext) =>
  findRecord(query, 'campaignId', store.campaigns, {
    missing: 'campaignId not provided',
    notFound: 'Campaign not found.',
  });

export const campaignRoutes: Routes = {
  getCampaigns,
  getCampaignById: (call) => ok([toCampaignRow(findCampaign(call), call.store)]),
  createOrUpdateCampaign,
  sendCampaign(call) {
    if (!call.mailer.start(findCampaign(call)))
      throw new Refusal(500, { message: 'Could not send campaign', errors: ['No list selected'] });
    return okMessage('Campaign sent successfully.');
  },
  deleteCampaign(call) {
    const { store } = call;
    const { id, mail_id } = findCampaign(call);
    const versions = store.sendings.get(id)?.versions ?? [];
    for (const mailId of [mail_id, ...versions.map((mail) => mail.id)]) store.mails.delete(mailId);
    store.campaigns.delete(id);
    store.sendings.delete(id);
    return okMessage('Campaign deleted successfully.');
  },
};
