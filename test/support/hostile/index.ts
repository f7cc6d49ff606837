import { drawings, embeds } from './embeds.ts';
import { heavy } from './heavy.ts';
import { COLLECTOR, type HostileMail, type HostileText } from './model.ts';
import { mutation } from './mutation.ts';
import { forms, links, pragmas } from './navigation.ts';
import { addresses, handlers, scripts } from './scripts.ts';
import { styles } from './styles.ts';
import { characters, formulas, ids, markup, paths, senders, values } from './texts.ts';

export { heavy, type HeavyMail } from './heavy.ts';
export { COLLECTOR, RUN, type HostileMail, type HostileText } from './model.ts';
export * as texts from './texts.ts';

interface HostileClass<Entry> {
  readonly id: string;
  /** As a reader calls it: "event handlers". */
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Emails by class. */
export const mailClasses: readonly HostileClass<HostileMail>[] = [
  { id: 'scripts', title: 'scripts', entries: scripts },
  { id: 'handlers', title: 'event handlers', entries: handlers },
  { id: 'addresses', title: 'addresses that run or reach out', entries: addresses },
  { id: 'forms', title: 'forms and fields', entries: forms },
  { id: 'pragmas', title: 'meta and base', entries: pragmas },
  { id: 'links', title: 'links: preloading, pings, targets', entries: links },
  { id: 'embeds', title: 'frames, objects, media', entries: embeds },
  { id: 'drawings', title: 'SVG and MathML', entries: drawings },
  { id: 'styles', title: 'stylesheets', entries: styles },
  { id: 'mutation', title: 'mutations and what is left open', entries: mutation },
];

/** Texts of records by class. */
export const textClasses: readonly HostileClass<HostileText>[] = [
  { id: 'markup', title: 'markup, icons and links in names', entries: markup },
  { id: 'characters', title: 'characters that hide or turn round', entries: characters },
  { id: 'paths', title: 'path tricks', entries: paths },
  { id: 'formulas', title: 'formulas of spreadsheets', entries: formulas },
  { id: 'senders', title: 'email addresses, links, devices', entries: senders },
  { id: 'values', title: 'colours, dates, flags', entries: values },
  { id: 'ids', title: 'ids', entries: ids },
];

/** All emails but the big ones. */
export const allMails: readonly HostileMail[] = mailClasses.flatMap(({ entries }) => entries);

/** All texts that a record may have in a field of text. */
export const allTexts: readonly HostileText[] = textClasses
  .filter(({ id }) => id !== 'ids')
  .flatMap(({ entries }) => entries);

/** The number of inputs of each class, as the README gives them. */
export function hostileCounts(): readonly { readonly title: string; readonly count: number }[] {
  return [
    ...[...mailClasses, ...textClasses].map(({ title, entries }) => ({ title, count: entries.length })),
    { title: 'big emails: 10 MB, 20,000 nested tags, 100,000 attributes', count: heavy.length },
  ];
}

/** The text with everything that is fetched from the collector's place fetched from another. */
export function collectedAt(text: string, address: string): string {
  return text.replaceAll(COLLECTOR, address);
}
