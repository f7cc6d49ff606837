import { emptyMail, formatTime, mailFields, newList, type StoredFollowUp } from '../records.ts';
import { FOLLOW_UP_COLOR, type Store } from '../store.ts';
import {
  okMessage,
  fail,
  findRecord,
  findUpdated,
  readFlag,
  readId,
  readIdList,
  readNumber,
  readObject,
  readPageRange,
  ok,
  pickTexts,
  matchesFilters,
  readFilters,
  readText,
  Refusal,
  unitSeconds,
  type RouteContext,
  type Routes,
} from './route.ts';

function toFollowUpRow(followUp: StoredFollowUp, { profile }: Store) {
  const { created, mails: _mails, loop_mail_skip: skip, ...columns } = followUp;
  const loop_mail_skip = skip.length === 0 && profile.isInstallation ? '' : skip;
  return { ...columns, creation_date: formatTime(created), loop_mail_skip };
}

const filterColumns: ReadonlySet<string> = new Set(['id', 'name', 'display_name', 'active', 'send_once', 'trigger']);

/** Required fields for creating a follow-up, in the order of the checks. */
const requiredFields = [
  ['name', 'Follow-up name missing.'],
  ['trigger', 'Follow-up trigger missing.'],
  ['display_name', 'Follow-up display name missing.'],
] as const;

const defaultCondition = { lists_status: 'is', segments_status: 'is' };

function createOrUpdateFollowUp({ body, store }: RouteContext) {
  const before = findUpdated(body['followUpId'], store.followUps, 'Follow-up not found.');
  for (const [name, message] of requiredFields)
    if (before ? body[name] === '' : !readText(body[name])) fail(422, message);
  const texts = pickTexts(body, ['name', 'display_name', 'trigger']);
  if (texts.trigger !== undefined && !store.profile.triggers.some((trigger) => trigger === texts.trigger))
    fail(422, 'Invalid trigger.');
  const delay = Math.floor(Number(body['loop_delay'] ?? Number.NaN));
  const condition = readObject(body['condition']);
  const id = before?.id ?? store.nextId('followUp');
  store.followUps.put({
    name: '',
    display_name: '',
    trigger: '',
    created: store.now(),
    last_trigger: null,
    mails: [],
    list_id: before?.list_id ?? addList(texts, store),
    ...before,
    ...texts,
    id,
    condition: condition ? { ...defaultCondition, ...condition } : (before?.condition ?? defaultCondition),
    active: readFlag(body['active']) ?? before?.active ?? 0,
    send_once: readFlag(body['send_once']) ?? before?.send_once ?? 0,
    loop: readFlag(body['loop']) ?? before?.loop ?? 0,
    loop_delay: delay >= 0 ? delay : (before?.loop_delay ?? 0),
    loop_mail_skip: readIdList(body['loop_mail_skip']) ?? before?.loop_mail_skip ?? [],
  });
  return ok({ followUpId: id }, 201);
}

/** Every follow-up has its own list of subscribers. */
function addList({ name = '', display_name = '' }: Partial<StoredFollowUp>, store: Store) {
  const id = store.nextId('list');
  store.lists.put({ ...newList, id, name, display_name, color: FOLLOW_UP_COLOR, created: store.now() });
  return id;
}

function attachEmail({ body, store }: RouteContext) {
  const followUpId = readNumber(body['followUpId']) ?? fail(422, 'Follow-up ID missing.');
  const mail = readObject(body['mail']) ?? fail(422, 'Mail data missing.');
  const delay = Number(body['delay'] ?? Number.NaN);
  if (!(delay >= store.profile.minDelay)) fail(422, 'Delay missing.');
  const unitName = readText(body['delay_unit']) || fail(422, 'Delay unit missing.');
  const unit = unitSeconds.get(unitName) ?? fail(422, 'Invalid delay unit.');
  const followUp = store.followUps.get(followUpId) ?? fail(404, 'Follow-up not found.');
  const isUpdate = mail['id'] !== undefined;
  const before = followUp.mails.find(({ mailId }) => isUpdate && mailId === readNumber(mail['id']));
  if (isUpdate && !before) fail(404, 'Mail not found.');
  const mailId = before?.mailId ?? store.nextId('mail');
  store.mails.put({ ...emptyMail, ...store.mails.get(mailId), ...pickTexts(mail, mailFields), id: mailId });
  const entry = { mailId, delay, unit };
  const mails = before ? followUp.mails.map((other) => (other === before ? entry : other)) : [...followUp.mails, entry];
  store.followUps.put({ ...followUp, mails });
  return ok({ message: 'Email attached to follow-up.', mailId });
}

export const followUpRoutes: Routes = {
  getFollowUps(call) {
    const { query, store } = call;
    const filters = readFilters(query, store.profile.followUpFilter).filter(([column]) => filterColumns.has(column));
    const page = store.followUps.page(...readPageRange(call), (followUp) => matchesFilters(followUp, filters));
    return ok(page.map((followUp) => toFollowUpRow(followUp, store)));
  },
  getFollowUpById({ query, store }) {
    const id = readId(query, 'followUpId');
    if (!id) throw new Refusal(400, { error: 'Invalid request' });
    const followUp = store.followUps.get(id);
    if (!followUp) return store.profile.unknownFollowUp;
    const mails = followUp.mails.map(({ mailId, delay, unit }) => ({
      mail_id: mailId,
      followup_id: id,
      delay,
      delay_unit: unit,
      send_once: followUp.send_once,
      ...(store.hasExtras && pickTexts({ ...store.mails.get(mailId) }, mailFields)),
    }));
    return ok([{ ...toFollowUpRow(followUp, store), mails }]);
  },
  createOrUpdateFollowUp,
  attachEmailToFollowUp: attachEmail,
  deleteEmailFromFollowUp({ query, store }) {
    const followUp = store.followUps.get(readId(query, 'followUpId') ?? 0) ?? fail(404, 'Follow-up not found.');
    const id = readId(query, 'mailId') ?? 0;
    const mails = followUp.mails.filter(({ mailId }) => mailId !== id);
    if (mails.length === followUp.mails.length) fail(404, 'Mail not found.');
    store.followUps.put({ ...followUp, mails });
    store.mails.delete(id);
    return okMessage('Email deleted from follow-up.');
  },
  deleteFollowUp({ query, store }) {
    const { id, mails, list_id } = findRecord(query, 'followUpId', store.followUps, {
      missing: 'Follow-up ID missing.',
      notFound: 'Follow-up not found.',
    });
    for (const { mailId } of mails) store.mails.delete(mailId);
    store.lists.delete(list_id);
    store.followUps.delete(id);
    return okMessage('Follow-up deleted.');
  },
};
