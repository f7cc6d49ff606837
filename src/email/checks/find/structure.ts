import { cleanHtml } from '../../sent/clean.ts';
import { cascadeOf } from '../cascade.ts';
import { isForNobody } from '../conditions.ts';
import type { ConditionalBlock, ConditionProblem } from '../conditions.ts';
import { cssAddresses } from '../css.ts';
import { holdsTag } from '../document.ts';
import type { Element } from '../document.ts';
import { addAttribute } from '../edits.ts';
import { inBody, tagPlace } from '../mail.ts';
import type { Mail } from '../mail.ts';
import type { Found, Place } from '../model.ts';
import { firstIndex } from '../../html/ranges.ts';
import { grouped } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { featurePage, withoutSupport } from '../support.ts';

const conditionalComments =
  'https://learn.microsoft.com/en-us/previous-versions/windows/internet-explorer/ie-developer/compatibility/ms537512(v=vs.85)';

const conditionMessages: Readonly<Record<ConditionProblem['kind'], readonly [message: string, fix: string]>> = {
  unclosed: [
    'This conditional comment has no end: what follows is lost to some clients.',
    'Close the conditional comment',
  ],
  stray: ['This ends a conditional comment that was not begun: some clients show it as text.', 'Remove the marker'],
  nested: [
    'A comment within a conditional comment ends it: what follows shows where it should not.',
    'Remove the inner comment',
  ],
  slash: [
    'The end of a conditional comment has a slash too many, so that Outlook does not see it.',
    'Write <![endif]-->',
  ],
};

function unbalancedConditions({ conditions, sentRange }: Mail): readonly Found[] {
  // One that is not closed hides what follows, wherever it begins.
  const problems = conditions.problems.filter(({ kind, start }) => kind === 'unclosed' || isWithin(sentRange, start));
  return problems.map(({ kind, start, end, related, edits }) => {
    const [message, title] = conditionMessages[kind];
    const places = [inBody(start, end), ...(related ? [inBody(related.start, related.end)] : [])];
    const fixes = [{ title, edits: edits.map(({ text, ...range }) => ({ ...inBody(range.start, range.end), text })) }];
    return { places, message, ...(edits.length > 0 && { fixes }) };
  });
}

const isWithin = ({ start, end }: Mail['sentRange'], at: number): boolean => start <= at && at < end;

function forNobody({ conditions, sentRange }: Mail): readonly Found[] {
  const blocks = conditions.blocks.filter(
    (block) => isForNobody(block) && block.closer.end > block.closer.start && isWithin(sentRange, block.start),
  );
  const edits = blocks.flatMap(({ opener, closer }) => [
    { ...inBody(opener.end, opener.end), text: '<!-->' },
    { ...inBody(closer.start, closer.end), text: '<!--<![endif]-->' },
  ]);
  const message = 'No client shows this: Outlook skips it, and for all others it is a comment.';
  return grouped(
    blocks.map(({ start, end }) => inBody(start, end)),
    message,
    { fixes: [{ title: 'Show it in all clients but Outlook', edits }] },
  );
}

/** A background's own image: in an attribute, or said of the element by a style. */
function backgroundImage(mail: Mail, element: Element): Place | undefined {
  const attribute = element.get('background') ? element.attribute('background') : undefined;
  if (attribute) return inBody(attribute.start, attribute.end);
  const { own } = mail.once(cascadeOf);
  const decided = [own(element, 'background-image'), own(element, 'background')].find(
    (found) => found && /url\(/iu.test(found.value),
  );
  return decided?.place;
}

function hasColor(mail: Mail, element: Element): boolean {
  const { own } = mail.once(cascadeOf);
  const shorthand = own(element, 'background')?.value.replace(cssAddresses, '') ?? '';
  return (
    Boolean(element.get('bgcolor')) ||
    own(element, 'background-color') !== undefined ||
    /#[\da-f]{3}|rgb|\b[a-z]{3,}\b/iu.test(withoutKeywords(shorthand))
  );
}

const withoutKeywords = (value: string): string =>
  value.replace(
    /\b(?:no-repeat|repeat(?:-[xy])?|center|top|bottom|left|right|cover|contain|fixed|scroll|local|none|inherit|important)\b/giu,
    '',
  );

function backgroundWithoutFallback(mail: Mail): readonly Found[] {
  const places = mail.document.elements.flatMap((element) => {
    if (unshown.has(element.name) || mail.isHiddenFromOutlook(element.start)) return [];
    const place = backgroundImage(mail, element);
    return !place || hasColor(mail, element) || hasVml(mail, element) ? [] : [place];
  });
  const message =
    'Outlook for Windows drops the background image, and there is no colour in its place: text on it may not be readable.';
  return grouped(unique(places), message, { clients: ['Outlook for Windows'] });
}

const unshown = new Set(['html', 'head', 'meta', 'style', 'script', 'title', 'link']);

/** Whether a drawing for Outlook stands right before the element or in it. */
export function hasVml(mail: Mail, { start, closeStart }: Element): boolean {
  const all = mail.once(drawings);
  const near = all[firstIndex(all, ({ end }) => end > start - 2000)];
  return near !== undefined && near.start < closeStart;
}

/** Comments that draw a background or a shape for Outlook. */
export const drawings = ({ conditions }: Mail): readonly ConditionalBlock[] =>
  conditions.blocks.filter(({ vml }) => vml);

/** Several elements have one rule: it is told once. */
function unique(places: readonly Place[]): readonly Place[] {
  const seen = new Set<string>();
  return places.filter(({ part, start }) => !seen.has(`${part} ${start}`) && seen.add(`${part} ${start}`));
}

function layoutTables(mail: Mail): readonly Found[] {
  const tables = mail.named('table').filter((table) => !table.has('role') && !isDataTable(table));
  const edits = tables.map((table) => addAttribute(mail, table, 'role="presentation"'));
  const message = 'Screen readers announce each row and cell of this table, as if it held data.';
  return grouped(tables.map(tagPlace), message, { fixes: [{ title: 'Add role="presentation"', edits }] });
}

/** Whether a table has what only a table of data has. */
function isDataTable(table: Element): boolean {
  if (table.has('summary')) return true;
  const rows = table.children.flatMap((child) => (child.name === 'tr' ? [child] : [child, ...child.children]));
  return rows.some(({ name, children }) => name === 'caption' || children.some((cell) => cell.name === 'th'));
}

const activeElements: Readonly<
  Record<string, readonly [feature: string | undefined, severity: 'error' | 'warning', message: string]>
> = {
  script: [undefined, 'error', 'No mail client runs scripts, and filters take the email for an attack.'],
  iframe: [undefined, 'error', 'No mail client shows what is in a frame.'],
  object: ['html-object', 'error', 'Most mail clients show nothing of this object.'],
  embed: [undefined, 'error', 'No mail client shows what is embedded.'],
  form: [
    'html-form',
    'warning',
    'Forms can not be filled in or sent in some clients: a link to a page works everywhere.',
  ],
  video: [
    'html-video',
    'warning',
    'Most clients show what stands in the element instead of the video: put a linked picture there.',
  ],
  audio: [
    'html-audio',
    'warning',
    'Most clients show what stands in the element instead of the sound: put a link there.',
  ],
};

function activeContent(mail: Mail): readonly Found[] {
  const elements = Object.entries(activeElements).flatMap(([name, [feature, severity, message]]) => {
    const clients = feature ? withoutSupport(feature, mail.clients) : [];
    if (feature && clients.length === 0) return [];
    const removed = mail.isComposed ? mail.named(name).filter((element) => isRemoved(mail, element)) : [];
    const sent = mail.named(name).filter((element) => !removed.includes(element));
    const isGone = name === 'script' || name === 'iframe';
    const found = isGone
      ? grouped(removed.map(tagPlace), `AcyMailing removes this <${name}>.`, { severity: 'info' })
      : [];
    const rest = { severity, ...(feature && { clients, url: featurePage(feature) }) };
    return [...found, ...grouped(sent.map(tagPlace), message, rest)];
  });
  return [...elements, ...linkedStyles(mail), ...imports(mail)];
}

/** Whether AcyMailing removes an element, or puts another one in its place. */
function isRemoved({ email: { body } }: Mail, { name, start, end, children }: Element): boolean {
  if (name === 'script') return true;
  return children.length === 0 && !cleanHtml(body.slice(start, end), undefined).toLowerCase().includes(`<${name}`);
}

/** Addresses of fonts: text without them is read in another font, no more. */
export const isFont = (address: string): boolean =>
  /fonts?[./-]|typekit|typography|\.(?:woff2?|ttf|otf)\b/iu.test(address);

export const linkedSheets = ({ authored }: Mail): readonly Element[] =>
  authored.elements
    .filter(({ name }) => name === 'link')
    .filter((link) => /\bstylesheet\b/iu.test(link.get('rel') ?? '') && !holdsTag(link.get('href') ?? ''));

function linkedStyles(mail: Mail): readonly Found[] {
  const clients = withoutSupport('html-link', mail.clients);
  if (clients.length === 0) return [];
  const isForFonts = (link: Element): boolean => isFont(link.get('href') ?? '');
  const links = linkedSheets(mail).filter(mail.isSent);
  const url = featurePage('html-link');
  return [
    ...grouped(
      links.filter((link) => !isForFonts(link)).map(tagPlace),
      'Linked stylesheets are not loaded: write them in a <style>.',
      { clients, url },
    ),
    ...grouped(
      links.filter(isForFonts).map(tagPlace),
      'Linked fonts are not loaded: the next font of the list is used.',
      {
        clients,
        url,
        severity: 'hint',
      },
    ),
  ];
}

function imports(mail: Mail): readonly Found[] {
  const clients = withoutSupport('css-at-import', mail.clients);
  // Rule 36 finds what AcyMailing never sends.
  if (clients.length === 0 || mail.isComposed) return [];
  const all = mail.sheets.flatMap(({ atRules, place }) =>
    atRules
      .filter(({ name }) => name === 'import')
      .map((rule) => ({ place: place(rule.start, rule.end), isForFonts: isFont(rule.prelude) })),
  );
  const url = featurePage('css-at-import');
  return [
    ...grouped(
      all.filter(({ isForFonts }) => !isForFonts).map(({ place }) => place),
      'Imported styles are not loaded.',
      { clients, url },
    ),
    ...grouped(
      all.filter(({ isForFonts }) => isForFonts).map(({ place }) => place),
      'Imported fonts are not loaded: the next font of the list is used.',
      {
        clients,
        url,
        severity: 'hint',
      },
    ),
  ];
}

export const structureRules: readonly Rule[] = [
  {
    id: '1',
    name: 'conditional-comment',
    title: 'Conditional comment that does not end, or ends twice',
    severity: 'error',
    hasFix: true,
    changesText: true,
    isMechanical: true,
    cost: 'Half of the email is gone in Outlook or everywhere else.',
    url: conditionalComments,
    find: unbalancedConditions,
  },
  {
    id: '2',
    name: 'shown-nowhere',
    title: 'Content that no client shows',
    severity: 'error',
    hasFix: true,
    changesText: true,
    cost: 'Nobody ever sees it.',
    url: conditionalComments,
    find: forNobody,
  },
  {
    id: '17',
    name: 'background-image',
    title: 'Background image without a colour behind it',
    severity: 'warning',
    cost: 'Light text on white in Outlook.',
    url: featurePage('css-background-image'),
    find: backgroundWithoutFallback,
  },
  {
    id: '20',
    name: 'table-role',
    title: 'Layout table without role="presentation"',
    severity: 'hint',
    hasFix: true,
    isMechanical: true,
    cost: 'Screen readers read out rows and columns.',
    url: 'https://www.w3.org/TR/wai-aria-1.2/#presentation',
    find: layoutTables,
  },
  {
    id: '27',
    name: 'active-content',
    title: 'Scripts, forms, frames, videos, linked styles',
    severity: 'warning',
    cost: 'It is dropped, or the email is taken for spam.',
    url: 'https://www.caniemail.com/',
    find: activeContent,
  },
];
