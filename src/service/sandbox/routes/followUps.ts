import { readId, readRange } from '../query.ts';
import { emptyMail, mailFields, newList, unitSeconds } from '../records.ts';
import type { StoredFollowUp } from '../records.ts';
import type { Store } from '../store.ts';
import { formatTime } from '../time.ts';
import { followUpList } from '../data/lists.ts';
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
  readFilter,
  readText,
  withRecord,
} from './route.ts';

const columns = [
  'id',
  'name',
  'display_name',
  'creation_date',
  'trigger',
  'condition',
  'active',
  'send_once',
  'list_id',
  'last_trigger',
  'loop',
  'loop_delay',
  'loop_mail_skip',
] as const;

function toFollowUpRow(followUp: StoredFollowUp, { profile }: Store): object {
  const { created, loop_mail_skip } = followUp;
  return pickColumns(
    {
      ...followUp,
      creation_date: formatTime(created),
      loop_mail_skip: loop_mail_skip.length === 0 && profile.richRecords ? '' : loop_mail_skip,
    },
    columns,
  );
}

const followUpFilters: Readonly<Record<string, (followUp: StoredFollowUp, value: string) => boolean>> = {
  id: ({ id }, value) => String(id) === value,
  name: ({ name }, value) => containsIgnoreCase(name, value),
  display_name: ({ display_name }, value) => display_name === value,
  active: ({ active }, value) => String(active) === value,
  send_once: ({ send_once }, value) => String(send_once) === value,
  trigger: ({ trigger }, value) => trigger === value,
};

/** Required fields for creating a follow-up, in the order of the checks. */
const requiredFields = [
  ['name', 'Follow-up name missing.'],
  ['trigger', 'Follow-up trigger missing.'],
  ['display_name', 'Follow-up display name missing.'],
] as const;

/** Returns the fields that the body changes. */
function readFollowUpChanges(body: RouteContext['body']): Partial<StoredFollowUp> {
  const active = readFlag(body['active']);
  const send_once = readFlag(body['send_once']);
  const loop = readFlag(body['loop']);
  const delay = Number(body['loop_delay'] ?? Number.NaN);
  const loop_mail_skip = readIdList(body['loop_mail_skip']);
  const condition = readObject(body['condition']);
  return {
    ...pickTexts(body, ['name', 'display_name', 'trigger']),
    ...(active !== undefined && { active }),
    ...(send_once !== undefined && { send_once }),
    ...(loop !== undefined && { loop }),
    ...(delay >= 0 && { loop_delay: Math.floor(delay) }),
    ...(loop_mail_skip && { loop_mail_skip }),
    ...(condition && { condition: { lists_status: 'is', segments_status: 'is', ...condition } }),
  };
}

function createOrUpdateFollowUp({ body, store }: RouteContext): RouteResult {
  const given = body['followUpId'];
  const before = given === undefined ? undefined : store.followUps.get(readNumber(given) ?? 0);
  if (given !== undefined && !before) return fail(404, 'Follow-up not found.');
  const trigger = readText(body['trigger']);
  for (const [name, message] of requiredFields) {
    if (before ? body[name] === '' : !readText(body[name])) return fail(422, message);
  }
  if (trigger !== undefined && !store.profile.triggers.includes(trigger)) return fail(422, 'Invalid trigger.');
  const id = before?.id ?? store.nextId('followUp');
  const fresh = (): Omit<StoredFollowUp, 'id'> => ({
    name: '',
    display_name: '',
    trigger: '',
    created: store.now(),
    condition: { lists_status: 'is', segments_status: 'is' },
    active: 0,
    send_once: 0,
    list_id: addList(body, store),
    last_trigger: null,
    loop: 0,
    loop_delay: 0,
    loop_mail_skip: [],
    mails: [],
  });
  store.followUps.set({ ...(before ?? fresh()), ...readFollowUpChanges(body), id });
  return ok({ followUpId: id }, 201);
}

/** Every follow-up has its own list of subscribers. */
function addList(body: RouteContext['body'], store: Store): number {
  const id = store.nextId('list');
  store.lists.set({
    ...newList,
    id,
    name: readText(body['name']) ?? '',
    display_name: readText(body['display_name']) ?? null,
    color: followUpList.color,
    created: store.now(),
  });
  return id;
}

function attachEmail({ body, store }: RouteContext): RouteResult {
  const followUpId = readNumber(body['followUpId']);
  const mail = readObject(body['mail']);
  const delay = Number(body['delay'] ?? Number.NaN);
  const unitName = readText(body['delay_unit']);
  if (!followUpId) return fail(422, 'Follow-up ID missing.');
  if (!mail) return fail(422, 'Mail data missing.');
  if (!(delay > 0 || (delay === 0 && !store.profile.zeroDelayIsMissing))) return fail(422, 'Delay missing.');
  if (!unitName) return fail(422, 'Delay unit missing.');
  const unit = unitSeconds[unitName];
  if (unit === undefined) return fail(422, 'Invalid delay unit.');
  const followUp = store.followUps.get(followUpId);
  if (!followUp) return fail(404, 'Follow-up not found.');
  const given = mail['id'];
  const before = given === undefined ? undefined : followUp.mails.find(({ mailId }) => mailId === readNumber(given));
  if (given !== undefined && !before) return fail(404, 'Mail not found.');
  const mailId = before?.mailId ?? store.nextId('mail');
  store.mails.set({ ...emptyMail, ...store.mails.get(mailId), ...pickTexts(mail, mailFields), id: mailId });
  const entry = { mailId, delay, unit };
  store.followUps.set({
    ...followUp,
    mails: before ? followUp.mails.map((other) => (other === before ? entry : other)) : [...followUp.mails, entry],
  });
  return ok({ message: 'Email attached to follow-up.', mailId });
}

const followUpId = { name: 'followUpId', missing: 'Follow-up ID missing.', notFound: 'Follow-up not found.' };

export const followUpRoutes: RouteHandlers = {
  getFollowUps: {
    failure: 'Error getting the follow-ups: <detail>',
    run({ query, store }) {
      const { matches } = readFilter(query, store.profile.followUpFilter, followUpFilters);
      const { offset, limit } = readRange(query, 100, store.profile.limitCap);
      const page = store.followUps.page(offset, limit, matches);
      return ok(page.map((followUp) => toFollowUpRow(followUp, store)));
    },
  },
  getFollowUpById: {
    failure: 'Error getting the follow-up: <detail>',
    run({ query, store }) {
      const id = readId(query, 'followUpId');
      if (!id) return { status: 400, body: { error: 'Invalid request' } };
      const followUp = store.followUps.get(id);
      if (!followUp) return store.profile.unknownFollowUp;
      const mails = followUp.mails.map(({ mailId, delay, unit }) => ({
        mail_id: mailId,
        followup_id: id,
        delay,
        delay_unit: unit,
        send_once: followUp.send_once,
      }));
      return ok([{ ...toFollowUpRow(followUp, store), mails }]);
    },
  },
  createOrUpdateFollowUp: { failure: 'Error creating follow-up.', run: createOrUpdateFollowUp },
  attachEmailToFollowUp: { failure: 'Error attaching email to follow-up.', run: attachEmail },
  deleteEmailFromFollowUp: {
    failure: 'Error deleting email from follow-up.',
    run({ query, store }) {
      const followUp = store.followUps.get(readId(query, 'followUpId') ?? 0);
      if (!followUp) return fail(404, 'Follow-up not found.');
      const id = readId(query, 'mailId');
      const mails = followUp.mails.filter(({ mailId }) => mailId !== id);
      if (mails.length === followUp.mails.length || !id) return fail(404, 'Mail not found.');
      store.followUps.set({ ...followUp, mails });
      store.mails.delete(id);
      return okMessage('Email deleted from follow-up.');
    },
  },
  deleteFollowUp: {
    failure: 'Error deleting follow-up.',
    run: (call) =>
      withRecord(call, call.store.followUps, followUpId, ({ id, mails, list_id }) => {
        mails.forEach(({ mailId }) => call.store.mails.delete(mailId));
        call.store.lists.delete(list_id);
        call.store.followUps.delete(id);
        return okMessage('Follow-up deleted.');
      }),
  },
};
