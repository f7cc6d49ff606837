import data from './data/people.json' with { type: 'json' };
import { hash, pick, pickWeighted, unit } from './random.ts';

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly language: string;
  readonly source: string;
}

/** The members of the list for test sends. */
const testers: readonly Person[] = data.testers;

/** Addresses up to this id contain no number if the name is unique; later ones contain the id. */
const MAX_PLAIN_ID = 240;

/** A name in the data is `written`, or `written|ascii` if removing accents does not produce an address. */
function parseName(entry: string): { readonly written: string; readonly ascii: string } {
  const [written = '', ascii = written] = entry.split('|');
  const letters = ascii.normalize('NFD').replace(/[^A-Za-z]/g, '');
  return { written, ascii: letters.toLowerCase() };
}

function composePerson(id: number, withNumber: boolean): Person {
  const tester = testers[id - 1];
  if (tester) return tester;
  const culture = pickWeighted(data.cultures, unit(11, id));
  const first = parseName(pick(culture.first, unit(12, id)));
  const last = parseName(pick(culture.last, unit(13, id)));
  const names = culture.familyFirst ? [last, first] : [first, last];
  return {
    name: names.map(({ written }) => written).join(' '),
    email: `${first.ascii}.${last.ascii}${withNumber ? `.${id}` : ''}@${pick(data.domains, unit(14, id))}`,
    language: culture.language,
    source: pick(data.sources, unit(15, id)),
  };
}

/** Users generated from their id (1, 2, …). Addresses are unique. */
export class People {
  readonly #count: number;
  readonly #plainIds = new Map<string, number>();
  /** Addresses without a name, with the ids after the generated ones. */
  readonly #added: string[] = [];

  constructor(count: number) {
    this.#count = count;
    for (let id = 1; id <= Math.min(MAX_PLAIN_ID, count); id += 1) {
      const { email } = composePerson(id, false);
      if (!this.#plainIds.has(email)) this.#plainIds.set(email, id);
    }
  }

  get(id: number): Person {
    const email = this.#added[id - this.#count - 1];
    if (email !== undefined) return { name: '', email, language: 'en-US', source: 'sandbox' };
    const person = composePerson(id, false);
    return this.#plainIds.get(person.email) === id ? person : composePerson(id, true);
  }

  /** Returns the id of a user by address, ignoring case. */
  find(email: string): number | undefined {
    const normalized = email.trim().toLowerCase();
    const place = this.#added.indexOf(normalized);
    if (place >= 0) return this.#count + 1 + place;
    const id = this.#plainIds.get(normalized) ?? Number(/\.(\d{1,9})@/.exec(normalized)?.[1] ?? 0);
    return id >= 1 && id <= this.#count && this.get(id).email === normalized ? id : undefined;
  }

  /** Adds a user. Returns its id. */
  add(email: string): number {
    return this.#count + this.#added.push(email.trim().toLowerCase());
  }
}

/** Returns whether a user confirmed the address: all testers and 90% of the others. */
export const isConfirmed = (id: number): boolean => id <= testers.length || hash(16, id) % 10 > 0;
