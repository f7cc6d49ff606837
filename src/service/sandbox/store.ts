import { Collection } from './collection.ts';
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
import { emptyMail, newList, unitSeconds } from './records.ts';
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
import { DAY, HOUR, type Clock } from './time.ts';

/** Defaults for mails without a sender. */
export const configuration = {
  from_name: 'Sandbox',
  from_email: 'hello@example.com',
  siteName: 'Mailing Studio sandbox',
} as const;

interface StoreOptions {
  readonly starters: readonly Starter[];
  readonly templates: number;
  readonly subscribers: number;
  readonly profile: ProfileRules;
  readonly clock: Clock;
}

const getFollowUpListId = (at: number): number => sampleLists.length + 1 + at;

/** All records of one sandbox since its start or last reset. */
export class Store {
  readonly profile: ProfileRules;
  readonly people: People;
  readonly members: Members;
  readonly templates: Collection<StoredTemplate>;
  readonly lists = new Collection<StoredList>();
  readonly followUps = new Collection<StoredFollowUp>();
  readonly campaigns = new Collection<StoredCampaign>();
  /** Mails other than templates; both share their ids. */
  readonly mails = new Collection<StoredMail>();
  readonly sendings = new Map<number, Sending>();
  readonly #clock: Clock;
  readonly #starters: readonly Starter[];
  /** Start of the sandbox. */
  readonly #epoch: number;
  readonly #lastIds;

  constructor({ starters, templates, subscribers, profile, clock }: StoreOptions) {
    this.profile = profile;
    this.#clock = clock;
    this.#starters = starters;
    this.#epoch = this.now();
    this.#lastIds = {
      mail: templates,
      list: sampleLists.length + sampleFollowUps.length,
      followUp: sampleFollowUps.length,
      campaign: sampleCampaigns.length,
    };
    this.people = createPeople(subscribers);
    this.members = new Members(
      subscribers,
      this.#epoch,
      new Map<number, Population>([
        ...sampleLists.map(({ population }, at) => [at + 1, population] as const),
        ...sampleFollowUps.map((_, at) => [getFollowUpListId(at), followUpList.population] as const),
      ]),
    );
    const common = starters.filter((starter) => !isLarge(starter));
    this.templates = new Collection<StoredTemplate>(templates, (id) =>
      createSampleTemplate(starters[id - 1], common, id, this.#epoch),
    );
    this.#addLists();
    this.#addFollowUps();
    sampleCampaigns.forEach((sample, at) => this.#addCampaign(sample, at));
    sampleCampaigns.forEach((sample, at) => this.#addVersions(sample, at));
  }

  now(): number {
    return this.#clock.now().getTime();
  }

  /** Returns the id for a new record. */
  nextId(kind: 'mail' | 'list' | 'followUp' | 'campaign'): number {
    return (this.#lastIds[kind] += 1);
  }

  /** Returns a mail or template by id. */
  mail(id: number): StoredMail | undefined {
    return this.mails.get(id) ?? this.templates.get(id);
  }

  /** Adds a mail with the text of a starter (see `findStarter`). Returns its id. */
  #addMail(starter: string, fallback: number, { name, subject }: Pick<StoredMail, 'name' | 'subject'>): number {
    const id = this.nextId('mail');
    this.mails.set({ ...findStarter(this.#starters, starter, fallback).mail, id, name, subject });
    return id;
  }

  #addLists(): void {
    sampleLists.forEach(({ ageDays, population: _population, hasMails, ...list }, at) => {
      const welcome = { name: `Welcome: ${list.name}`, subject: 'You are on the list' };
      const goodbye = { name: `Goodbye: ${list.name}`, subject: 'You will not hear from us again' };
      this.lists.set({
        ...list,
        id: at + 1,
        type: 'standard',
        created: this.#epoch - ageDays * DAY,
        welcome_id: hasMails ? this.#addMail('welcome', 0, welcome) : null,
        unsubscribe_id: hasMails ? this.#addMail('letter', 1, goodbye) : null,
      });
    });
  }

  #addFollowUps(): void {
    sampleFollowUps.forEach(({ ageDays, triggeredHoursAgo, mails, trigger, ...followUp }, at) => {
      const created = this.#epoch - ageDays * DAY;
      const { name, display_name, active } = followUp;
      const list_id = getFollowUpListId(at);
      const { color } = followUpList;
      this.lists.set({ ...newList, id: list_id, name, display_name, color, active: active ? '1' : '0', created });
      this.followUps.set({
        ...followUp,
        id: at + 1,
        trigger: trigger === 'ecommerce_a_purchase' ? (this.profile.triggers[3] ?? trigger) : trigger,
        created,
        list_id,
        last_trigger: triggeredHoursAgo === null ? null : Math.floor((this.#epoch - triggeredHoursAgo * HOUR) / 1000),
        loop_mail_skip: [],
        mails: mails.map(({ starter, delay, unit: unitName, ...texts }, place) => ({
          mailId: this.#addMail(starter, place, texts),
          delay,
          unit: unitSeconds[unitName] ?? 60,
        })),
      });
    });
  }

  #addCampaign(sample: SampleCampaign, at: number): void {
    const id = at + 1;
    const mail_id = this.#addMail(sample.starter, at, sample);
    const sentAt = getSentTime(this.#epoch, sample);
    const due = sample.dueInHours === undefined ? null : this.#epoch + sample.dueInHours * HOUR;
    const child = sampleCampaigns.find(({ parent }) => parent === id);
    const isRunning = sentAt !== null || due !== null;
    this.campaigns.set({
      id,
      mail_id,
      sending_type: sample.type,
      sending_date: sample.type === 'auto' ? null : (sentAt ?? due),
      draft: isRunning ? 0 : 1,
      active: isRunning ? 1 : 0,
      sent: sentAt === null ? 0 : 1,
      schedule: getSchedule(sample),
      parent_id: sample.parent ?? null,
      last_generated: child ? getSentTime(this.#epoch, child) : null,
      next_trigger: sample.type === 'auto' ? due : null,
      listIds: sample.listIds,
    });
    const mail = this.mails.get(mail_id);
    if (sentAt === null || !mail) return;
    let recipients: Uint32Array | undefined;
    this.sendings.set(id, {
      mail,
      sentAt,
      recipients: () => (recipients ??= this.members.recipients(sample.listIds, sentAt)),
    });
  }

  #addVersions({ versions = [], starter }: SampleCampaign, at: number): void {
    const sending = this.sendings.get(at + 1);
    const mails = versions.flatMap((version) => this.mail(this.#addMail(starter, at, version)) ?? []);
    if (sending && mails.length > 0) this.sendings.set(at + 1, { ...sending, versions: mails });
  }
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

/** Mails of earlier days were sent at 8:30. */
function getSentTime(epoch: number, { sentHoursAgo }: SampleCampaign): number | null {
  if (sentHoursAgo === undefined) return null;
  const time = epoch - sentHoursAgo * HOUR;
  return sentHoursAgo < 24 ? time : time - (time % DAY) + 8.5 * HOUR;
}

function getSchedule({ schedule }: SampleCampaign): Schedule | null {
  if (!schedule) return null;
  const { unit: unitName, value, confirm } = schedule;
  if (unitName === 'cron') return { trigger_type: 'asap', need_confirm_to_send: confirm };
  const every = { type: unitSeconds[unitName] ?? 0, number: value };
  return { trigger_type: 'every', every, need_confirm_to_send: confirm };
}
