import { Collection } from './collection.ts';
import type { ClockControl } from './clock.ts';
import { followUpList, sampleLists } from './data/lists.ts';
import { sampleCampaigns } from './data/campaigns.ts';
import type { SampleCampaign } from './data/campaigns.ts';
import { sampleFollowUps } from './data/followUps.ts';
import { createPeople } from './data/people.ts';
import type { People } from './data/people.ts';
import { unit } from './data/random.ts';
import { isLarge, findStarter } from './data/starters.ts';
import { Members } from './members.ts';
import type { Population } from './members.ts';
import type { ProfileRules } from './profiles.ts';
import { emptyMail, unitSeconds } from './records.ts';
import type {
  StoredCampaign,
  StoredFollowUp,
  StoredList,
  StoredMail,
  Schedule,
  Sending,
  Starter,
  StoredTemplate,
} from './records.ts';
import { DAY, HOUR } from './time.ts';

/** Defaults for mails without a sender. */
export const configuration = {
  from_name: 'Sandbox',
  from_email: 'hello@example.com',
  siteName: 'Mailing Studio sandbox',
} as const;

export interface StoreOptions {
  readonly starters: readonly Starter[];
  readonly templates: number;
  readonly subscribers: number;
  readonly profile: ProfileRules;
  readonly clock: ClockControl;
}

/** All records of one sandbox since its start or last reset. */
export interface Store {
  readonly profile: ProfileRules;
  readonly subscribers: number;
  readonly people: People;
  readonly members: Members;
  readonly templates: Collection<StoredTemplate>;
  readonly lists: Collection<StoredList>;
  readonly followUps: Collection<StoredFollowUp>;
  readonly campaigns: Collection<StoredCampaign>;
  /** Mails other than templates; both share their ids. */
  readonly mails: Collection<StoredMail>;
  readonly sendings: Map<number, Sending>;
  now(): number;
  /** Returns the id for a new record. */
  nextId(kind: 'mail' | 'list' | 'followUp' | 'campaign'): number;
  /** Returns a mail or template by id. */
  mail(id: number): StoredMail | undefined;
}

export function createStore({ starters, templates, subscribers, profile, clock }: StoreOptions): Store {
  const epoch = clock.now().getTime();
  const followUpListId = (at: number): number => sampleLists.length + 1 + at;
  const populations = new Map<number, Population>([
    ...sampleLists.map(({ population }, at) => [at + 1, population] as const),
    ...sampleFollowUps.map((_, at) => [followUpListId(at), followUpList.population] as const),
  ]);
  const next = {
    mail: templates,
    list: sampleLists.length + sampleFollowUps.length,
    followUp: sampleFollowUps.length,
    campaign: sampleCampaigns.length,
  };
  const common = starters.filter((starter) => !isLarge(starter));
  const store: Store = {
    profile,
    subscribers,
    people: createPeople(subscribers),
    members: new Members(subscribers, epoch, populations),
    templates: new Collection<StoredTemplate>(templates, (id) =>
      createSampleTemplate(starters[id - 1], common, id, epoch),
    ),
    lists: new Collection<StoredList>(0, throwMissing),
    followUps: new Collection<StoredFollowUp>(0, throwMissing),
    campaigns: new Collection<StoredCampaign>(0, throwMissing),
    mails: new Collection<StoredMail>(0, throwMissing),
    sendings: new Map(),
    now: () => clock.now().getTime(),
    nextId: (kind) => (next[kind] += 1),
    mail: (id) => store.mails.get(id) ?? store.templates.get(id),
  };
  const addMail = (starter: Starter, name: string, subject: string): number => {
    const id = store.nextId('mail');
    store.mails.set({ ...starter.mail, id, name, subject });
    return id;
  };
  fillLists(store, starters, epoch, addMail);
  fillFollowUps(store, starters, epoch, followUpListId, addMail);
  sampleCampaigns.forEach((sample, at) =>
    addCampaign(
      store,
      sample,
      at + 1,
      epoch,
      addMail(findStarter(starters, sample.starter, at), sample.name, sample.subject),
    ),
  );
  sampleCampaigns.forEach(({ versions = [], starter }, at) => {
    const sending = store.sendings.get(at + 1);
    const mails = versions.flatMap(
      ({ name, subject }) => store.mail(addMail(findStarter(starters, starter, at), name, subject)) ?? [],
    );
    if (sending && mails.length > 0) store.sendings.set(at + 1, { ...sending, versions: mails });
  });
  return store;
}

type AddMail = (starter: Starter, name: string, subject: string) => number;

function throwMissing(id: number): never {
  throw new RangeError(`No record of the sample has the id ${id}.`);
}

/** The starters come first; larger collections repeat the starters that are not large. */
function createSampleTemplate(
  own: Starter | undefined,
  common: readonly Starter[],
  id: number,
  epoch: number,
): StoredTemplate {
  const starter = own ?? common[id % common.length];
  const mail = starter?.mail ?? emptyMail;
  return {
    ...mail,
    id,
    name: own ? mail.name : `${mail.name} ${String(id).padStart(4, '0')}`,
    drag_editor: starter?.drag_editor ?? '0',
    created: epoch - Math.round((1 + (id % 400) + unit(41, id)) * DAY),
    settings: starter?.drag_editor === '1' ? '{"#acym__wysid__template":{}}' : null,
  };
}

function fillLists(store: Store, starters: readonly Starter[], epoch: number, addMail: AddMail): void {
  sampleLists.forEach(({ ageDays: age, population: _population, hasMails, ...list }, at) => {
    const welcomeId = hasMails
      ? addMail(findStarter(starters, 'welcome', 0), `Welcome: ${list.name}`, 'You are on the list')
      : null;
    const unsubscribeId = hasMails
      ? addMail(findStarter(starters, 'letter', 1), `Goodbye: ${list.name}`, 'You will not hear from us again')
      : null;
    store.lists.set({ ...list, id: at + 1, type: 'standard', created: epoch - age * DAY, welcomeId, unsubscribeId });
  });
  sampleFollowUps.forEach(({ name, display_name, ageDays: age, active }, at) => {
    store.lists.set({
      id: sampleLists.length + 1 + at,
      name,
      display_name,
      description: '',
      color: followUpList.color,
      active: active ? '1' : '0',
      visible: '1',
      type: 'followup',
      created: epoch - age * DAY,
      welcomeId: null,
      unsubscribeId: null,
    });
  });
}

function fillFollowUps(
  store: Store,
  starters: readonly Starter[],
  epoch: number,
  listId: (at: number) => number,
  addMail: AddMail,
): void {
  sampleFollowUps.forEach(({ ageDays: age, triggeredHoursAgo: triggered, mails, trigger, ...followUp }, at) => {
    store.followUps.set({
      ...followUp,
      id: at + 1,
      trigger: trigger === 'ecommerce_a_purchase' ? (store.profile.triggers[3] ?? trigger) : trigger,
      created: epoch - age * DAY,
      listId: listId(at),
      lastTrigger: triggered === null ? null : Math.floor((epoch - triggered * HOUR) / 1000),
      loop_mail_skip: [],
      mails: mails.map(({ name, subject, starter, delay, unit: name_ }, place) => ({
        mailId: addMail(findStarter(starters, starter, place), name, subject),
        delay,
        unit: unitSeconds[name_] ?? 60,
      })),
    });
  });
}

function addCampaign(store: Store, sample: SampleCampaign, id: number, epoch: number, mailId: number): void {
  const sentAt = sample.sentHoursAgo === undefined ? null : getSentTime(epoch, sample.sentHoursAgo);
  const due = sample.dueInHours === undefined ? null : epoch + sample.dueInHours * HOUR;
  const child = sampleCampaigns.find(({ parent }) => parent === id);
  const running = sentAt !== null || due !== null;
  store.campaigns.set({
    id,
    mailId,
    sendingType: sample.type,
    sendingDate: sample.type === 'auto' ? null : (sentAt ?? due),
    draft: running ? 0 : 1,
    active: running ? 1 : 0,
    sent: sentAt === null ? 0 : 1,
    schedule: getSchedule(sample),
    parentId: sample.parent ?? null,
    lastGenerated: child?.sentHoursAgo === undefined ? null : getSentTime(epoch, child.sentHoursAgo),
    nextTrigger: sample.type === 'auto' ? due : null,
    listIds: sample.listIds,
  });
  const mail = store.mails.get(mailId);
  if (sentAt === null || !mail) return;
  let recipients: Uint32Array | undefined;
  store.sendings.set(id, {
    mail,
    sentAt,
    recipients: () => (recipients ??= store.members.recipients(sample.listIds, sentAt)),
  });
}

/** Mails of earlier days were sent at 8:30. */
function getSentTime(epoch: number, hoursAgo: number): number {
  const time = epoch - hoursAgo * HOUR;
  return hoursAgo < 24 ? time : time - (time % DAY) + 8.5 * HOUR;
}

function getSchedule({ schedule }: SampleCampaign): Schedule | null {
  if (!schedule) return null;
  if (schedule.unit === 'cron') return { trigger_type: 'asap', need_confirm_to_send: schedule.confirm };
  return {
    trigger_type: 'every',
    every: { type: unitSeconds[schedule.unit] ?? 0, number: schedule.value },
    need_confirm_to_send: schedule.confirm,
  };
}
