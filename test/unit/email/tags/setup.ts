import { readFileSync } from 'node:fs';
import {
  tagLanguage,
  type AccountData,
  type ListData,
  type MailData,
  type Person,
  type Rendering,
  type SiteData,
  type TagLocation,
} from '../../../../src/email/tags/index.ts';

export interface Case {
  readonly where: TagLocation;
  readonly person: string;
  readonly in: string;
  readonly out: string;
}

interface Reference {
  readonly now: string;
  readonly mail: MailData;
  readonly site: SiteData;
  readonly sender: AccountData;
  readonly lists: readonly ListData[];
  readonly people: Readonly<Record<string, Person>>;
  readonly cases: readonly Case[];
}

/** Recorded output of the service. */
export const reference = JSON.parse(
  readFileSync(new URL('../../../support/cases/tags.json', import.meta.url), 'utf8'),
) as Reference;

export const language = tagLanguage('acymailing');

/** Returns the rendering of a case, with links and choices in the notation of the reference. */
export function rendering(where: TagLocation = 'body', person = 'ann'): Rendering {
  const { mail, site, sender, lists, people, now } = reference;
  return {
    where,
    mail,
    site,
    sender,
    lists,
    person: people[person] ?? {},
    now: new Date(now.slice(0, 20)),
    link: (task) => `LINK(${task})`,
    pick: (choices) => (choices.length > 1 ? `RANDOM(${choices.join('|')})` : (choices[0] ?? '')),
  };
}

/** Returns a seeded random generator of numbers from 0 to below 1. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
