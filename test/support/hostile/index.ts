import { drawings, embeds } from './embeds.ts';
import { heavyEmails } from './heavy.ts';
import { COLLECTOR, type HostileEmail, type HostileText } from './model.ts';
import { mutation } from './mutation.ts';
import { forms, links, pragmas } from './navigation.ts';
import { addresses, handlers, scripts } from './scripts.ts';
import { styles } from './styles.ts';
import { characters, formulas, ids, markup, paths, senders, values } from './texts.ts';

export { heavyEmails, type HeavyEmail } from './heavy.ts';
export { COLLECTOR, PAYLOAD, type HostileEmail, type HostileText } from './model.ts';
export * as texts from './texts.ts';

interface HostileClass<Entry> {
  readonly id: string;
  /** Readable title, such as "event handlers". */
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Hostile emails by class. */
export const emailClasses: readonly HostileClass<HostileEmail>[] = [
  { id: 'scripts', title: 'scripts', entries: scripts },
  { id: 'handlers', title: 'event handlers', entries: handlers },
  { id: 'addresses', title: 'addresses that run or reach out', entries: addresses },
  { id: 'forms', title: 'forms and fields', entries: forms },
  { id: 'pragmas', title: 'meta and base', entries: pragmas },
  { id: 'links', title: 'links: preloading, pings, targets', entries: links },
  { id: 'embeds', title: 'frames, objects, media', entries: embeds },
  { id: 'drawings', title: 'SVG and MathML', entries: drawings },
  { id: 'styles', title: 'stylesheets', entries: styles },
  { id: 'mutation', title: 'mutations and unclosed elements', entries: mutation },
];

/** Hostile record texts by class. */
export const textClasses: readonly HostileClass<HostileText>[] = [
  { id: 'markup', title: 'markup, icons and links in names', entries: markup },
  { id: 'characters', title: 'invisible and bidirectional characters', entries: characters },
  { id: 'paths', title: 'path tricks', entries: paths },
  { id: 'formulas', title: 'formulas of spreadsheets', entries: formulas },
  { id: 'senders', title: 'email addresses, links, devices', entries: senders },
  { id: 'values', title: 'colors, dates, flags', entries: values },
  { id: 'ids', title: 'ids', entries: ids },
];

/** All hostile emails except the heavy ones. */
export const allEmails: readonly HostileEmail[] = emailClasses.flatMap(({ entries }) => entries);

/** All hostile texts for text fields of records. */
export const allTexts: readonly HostileText[] = textClasses
  .filter(({ id }) => id !== 'ids')
  .flatMap(({ entries }) => entries);

/** Returns the number of inputs of each class, as listed in docs/reliability.md. */
export function countHostileInputs(): readonly { readonly title: string; readonly count: number }[] {
  return [
    ...[...emailClasses, ...textClasses].map(({ title, entries }) => ({ title, count: entries.length })),
    { title: 'big emails: 10 MB, 20,000 nested tags, 100,000 attributes', count: heavyEmails.length },
  ];
}

/** Replaces the collector's placeholder URL in a text. */
export function replaceCollector(text: string, address: string): string {
  return text.replaceAll(COLLECTOR, address);
}
