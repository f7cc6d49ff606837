import samples from './data/samples.json' with { type: 'json' };
import { Members, type Population } from './members.ts';
import { People } from './people.ts';
import type { ProfileRules } from './profiles.ts';
import { unit } from './random.ts';
import {
  DAY,
  HOUR,
  newList,
  type StoredCampaign,
  type StoredFollowUp,
  type StoredList,
  type StoredMail,
  type Sending,
  type StoredTemplate,
} from './records.ts';
import { findStarter, type Starter } from './starters.ts';

/** Defaults for mails without a sender. */
export const configuration = {
  from_name: 'Sandbox',
  from_email: 'hello@example.com',
  siteName: 'Mailing Studio sandbox',
} as const;

/** List for test sends. */
export const TEST_LIST = 8;
export const FOLLOW_UP_COLOR = samples.followUpList.color;

interface StoreOptions {
  readonly starters: readonly Starter[];
  readonly templates: number;
  readonly subscribers: number;
  readonly profile: ProfileRules;
  readonly hasExtras: boolean;
  /** The current time in milliseconds since 1970. */
  readonly now: () => number;
}

type SampleCampaign = (typeof samples.campaigns)[number];

/** Records by id, in ascending order. Records are replaced, never mutated. */
export class Collection<T extends { readonly id: number }> extends Map<number, T> {
  /** Adds or replaces a record. The id of a new one must be the highest. */
  put(record: T): void {
    this.set(record.id, record);
  }

  all(): T[] {
    return [...this.values()];
  }

  /** Returns at most `limit` records after the first `offset` matches. */
  page(offset: number, limit: number, matches: (record: T) => boolean = () => true): T[] {
    return this.all()
      .filter(matches)
      .slice(offset, offset + limit);
  }
}

/** All records of one sandbox since its start or last reset. */
export class Store {
  readonly profile: ProfileRules;
  readonly hasExtras: boolean;
  readonly now: StoreOptions['now'];
  readonly people: People;
  readonly members: Members;
  readonly templates = new Collection<StoredTemplate>();
  readonly lists = new Collection<StoredList>();
  readonly followUps = new Collection<StoredFollowUp>();
  readonly campaigns = new Collection<StoredCampaign>();
  /** Mails other than templates; both share their ids. */
  readonly mails = new Collection<StoredMail>();
  readonly sendings = new Map<number, Sending>();
  readonly #starters: readonly Starter[];
  /** Start of the sandbox. */
  readonly #epoch: number;
  readonly #lastIds;

  constructor({ starters, templates, subscribers, profile, hasExtras, now }: StoreOptions) {
    this.profile = profile;
    this.hasExtras = hasExtras;
    this.now = now;
    this.#starters = starters;
    this.#epoch = now();
    this.#lastIds = {
      mail: templates,
      list: samples.lists.length + samples.followUps.length,
      followUp: samples.followUps.length,
      campaign: samples.campaigns.length,
    };
    this.people = new People(subscribers);
    const sampleLists: readonly { readonly population: Population }[] = [
      ...samples.lists,
      ...samples.followUps.map(() => samples.followUpList),
    ];
    const populations = new Map(sampleLists.map(({ population }, at) => [at + 1, population]));
    this.members = new Members(subscribers, this.#epoch, populations);
    for (let id = 1; id <= templates; id += 1) this.templates.put(createSampleTemplate(starters, id, this.#epoch));
    this.#addLists();
    this.#addFollowUps();
    samples.campaigns.forEach((sample, at) => this.#addCampaign(sample, at));
    samples.campaigns.forEach(({ versions, starter }, at) => {
      const sending = this.sendings.get(at + 1);
      const mails = versions?.map((version) => this.#addMail(starter, at, version));
      if (sending && mails) this.sendings.set(at + 1, { ...sending, versions: mails });
    });
  }

  /** Returns the id for a new record. */
  nextId(kind: 'mail' | 'list' | 'followUp' | 'campaign'): number {
    return (this.#lastIds[kind] += 1);
  }

  /** Returns a mail or template by id. */
  mail(id: number): StoredMail | undefined {
    return this.mails.get(id) ?? this.templates.get(id);
  }

  /** Adds a mail with the text of a starter (see `findStarter`). */
  #addMail(starter: string, fallback: number, { name, subject }: Pick<StoredMail, 'name' | 'subject'>) {
    const mail = { ...findStarter(this.#starters, starter, fallback).mail, id: this.nextId('mail'), name, subject };
    this.mails.put(mail);
    return mail;
  }

  #addLists() {
    samples.lists.forEach(({ ageDays, population: _population, hasMails, ...list }, at) => {
      const welcome = { name: `Welcome: ${list.name}`, subject: 'You are on the list' };
      const goodbye = { name: `Goodbye: ${list.name}`, subject: 'You will not hear from us again' };
      this.lists.put({
        ...list,
        id: at + 1,
        type: 'standard',
        created: this.#epoch - ageDays * DAY,
        welcome_id: hasMails ? this.#addMail('welcome', 0, welcome).id : null,
        unsubscribe_id: hasMails ? this.#addMail('letter', 1, goodbye).id : null,
      });
    });
  }

  #addFollowUps() {
    samples.followUps.forEach(({ ageDays, triggeredHoursAgo, mails, trigger, ...followUp }, at) => {
      const created = this.#epoch - ageDays * DAY;
      const { name, display_name, active } = followUp;
      const list_id = samples.lists.length + 1 + at;
      const color = FOLLOW_UP_COLOR;
      this.lists.put({ ...newList, id: list_id, name, display_name, color, active: active ? '1' : '0', created });
      this.followUps.put({
        ...followUp,
        id: at + 1,
        trigger: trigger === 'ecommerce_a_purchase' ? this.profile.triggers[3] : trigger,
        created,
        list_id,
        last_trigger: triggeredHoursAgo === null ? null : Math.floor((this.#epoch - triggeredHoursAgo * HOUR) / 1000),
        loop_mail_skip: [],
        mails: mails.map(({ starter, delay, unit: seconds, ...texts }, place) => ({
          mailId: this.#addMail(starter, place, texts).id,
          delay,
          unit: seconds,
        })),
      });
    });
  }

  #addCampaign(sample: SampleCampaign, at: number) {
    const id = at + 1;
    const { sending_type, schedule = null, parent_id = null, listIds, starter, dueInHours } = sample;
    const mail = this.#addMail(starter, at, sample);
    const sentAt = getSentTime(this.#epoch, sample);
    const due = dueInHours === undefined ? null : this.#epoch + dueInHours * HOUR;
    const edition = samples.campaigns.find((other) => other.parent_id === id);
    const isRunning = sentAt !== null || due !== null ? 1 : 0;
    const isAuto = sending_type === 'auto';
    this.campaigns.put({
      id,
      mail_id: mail.id,
      sending_type,
      sending_date: isAuto ? null : (sentAt ?? due),
      draft: 1 - isRunning,
      active: isRunning,
      sent: sentAt === null ? 0 : 1,
      schedule,
      parent_id,
      last_generated: edition ? getSentTime(this.#epoch, edition) : null,
      next_trigger: isAuto ? due : null,
      listIds,
    });
    if (sentAt === null) return;
    let recipients: Uint32Array | undefined;
    this.sendings.set(id, {
      mail,
      versions: [],
      sentAt,
      // Computed on demand, because it takes a while for many users.
      recipients: () => (recipients ??= this.members.selectSample(listIds, sentAt)),
    });
  }
}

/** The starters come first; larger collections repeat the starters that are not large. */
function createSampleTemplate(starters: readonly Starter[], id: number, epoch: number): StoredTemplate {
  const own = starters[id - 1];
  const { mail, drag_editor } = own ?? findStarter(starters, '', id);
  return {
    ...mail,
    id,
    name: own ? mail.name : `${mail.name} ${String(id).padStart(4, '0')}`,
    drag_editor,
    created: epoch - Math.round((1 + (id % 400) + unit(41, id)) * DAY),
    settings: drag_editor === '1' ? '{"#acym__wysid__template":{}}' : null,
  };
}

/** Mails of earlier days were sent at 8:30. */
function getSentTime(epoch: number, { sentHoursAgo }: SampleCampaign) {
  if (sentHoursAgo === undefined) return null;
  const time = epoch - sentHoursAgo * HOUR;
  return sentHoursAgo < 24 ? time : time - (time % DAY) + 8.5 * HOUR;
}
