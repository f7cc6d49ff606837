import { cascadeOf, pixels } from '../cascade.ts';
import { readColor } from '../color.ts';
import { cssAddresses } from '../css.ts';
import type { AtRule, Declaration } from '../css.ts';
import { inherited } from '../document.ts';
import type { Element } from '../document.ts';
import { insert } from '../edits.ts';
import type { Block, Mail, PlacedSheet } from '../mail.ts';
import type { Found, Place } from '../model.ts';
import { grouped, listed } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { isKept, isKeptMedia, sentBlocks, sentRules, staysInHead } from '../sentStyles.ts';
import { featurePage, withoutSupport } from '../support.ts';
import { hasVml } from './structure.ts';

const gmailStyles = 'https://developers.google.com/workspace/gmail/design/css';

/** Characters of styles that Gmail takes. */
const mostStyles = 16 * 1024;

const isForGmail = ({ clients }: Mail): boolean => clients.some(({ id }) => id === 'gmail');

/** What is left of a stylesheet where the email arrives. */
function stylesLength(mail: Mail, sheet: PlacedSheet): number {
  if (!mail.isComposed) return sheet.css.length;
  const sent = mail.once(sentRules);
  const rules = sheet.rules.filter(
    (rule) => sent.has(rule) && staysInHead(rule) && (!rule.atRule || isKeptMedia(rule.atRule)),
  );
  const whole = sheet.atRules.filter((atRule) => !atRule.parent && atRule.name !== 'media' && isKept(atRule));
  return [...rules, ...whole].reduce((sum, { start, end }) => sum + end - start, 0);
}

function tooManyStyles(mail: Mail): readonly Found[] {
  if (!isForGmail(mail)) return [];
  let length = 0;
  const beyond = mail.sheets.filter((sheet) => (length += stylesLength(mail, sheet)) > mostStyles);
  const message = `The styles come to ${Math.ceil(length / 1024)} KB here: Gmail drops the <style> that passes 16 KB, and all after it.`;
  return grouped(
    beyond.map(({ whole }) => whole),
    message,
    { clients: ['Gmail'] },
  );
}

function nestedAtRules(mail: Mail): readonly Found[] {
  const nested = mail.sheets.flatMap((sheet) =>
    sheet.atRules.filter(({ parent }) => parent).map((rule) => ({ rule, sheet })),
  );
  const isLost = ({ rule }: (typeof nested)[number]): boolean => mail.isComposed && !isKept(rule);
  const lost = nested.filter(isLost).map(({ rule, sheet }) => sheet.place(rule.start, rule.end));
  const message = 'AcyMailing sends no at-rules that are inside @media.';
  return [
    ...grouped(lost, message, { severity: 'warning' }),
    ...refusedByGmail(
      mail,
      nested.filter((one) => !isLost(one)),
    ),
  ];
}

function refusedByGmail(
  mail: Mail,
  all: readonly { readonly rule: AtRule; readonly sheet: PlacedSheet }[],
): readonly Found[] {
  if (!isForGmail(mail)) return [];
  const harmlessSheets = new Set(mail.sheets.filter(isFontsOnly));
  const places = (harmless: boolean): readonly Place[] =>
    all
      .filter(({ sheet }) => harmlessSheets.has(sheet) === harmless)
      .map(({ rule, sheet }) => sheet.place(rule.start, rule.end));
  return [
    ...grouped(places(false), 'Gmail drops the whole <style> for an at-rule within an at-rule.', {
      clients: ['Gmail'],
    }),
    ...grouped(
      places(true),
      "Gmail drops this <style> for an at-rule within an at-rule; it holds nothing but fonts, which Gmail doesn't load.",
      {
        clients: ['Gmail'],
        severity: 'hint',
      },
    ),
  ];
}

function isFontsOnly({ rules, atRules }: PlacedSheet): boolean {
  const outer = new Set<AtRule | undefined>(atRules.map(({ parent }) => parent));
  return rules.length === 0 && atRules.every((rule) => rule.name === 'font-face' || outer.has(rule));
}

function ruleAfterComment(mail: Mail): readonly Found[] {
  // AcyMailing sends no CSS comments.
  if (mail.isComposed) return [];
  const places = mail.sheets.flatMap(({ css, comments, rules, place }) => {
    const [comment] = comments;
    const [rule] = rules;
    const isFirst = comment && css.slice(0, comment.start).trim() === '';
    return isFirst && rule && !rule.atRule && css.slice(comment.end, rule.start).trim() === ''
      ? [place(rule.start, rule.end)]
      : [];
  });
  return grouped(
    places,
    'Some webmails skip the first rule after a comment at the start of a <style>: put the comment elsewhere.',
  );
}

interface LayoutKind {
  readonly feature: string;
  /** Whether a declaration is of the kind. */
  readonly is: (declaration: Declaration) => boolean;
  readonly message: (clients: string) => string;
  /** Whether it can do no harm here. */
  readonly isFine?: (mail: Mail, block: Block, declaration: Declaration) => boolean;
  /** Clients that have it, but not in this form. */
  readonly also?: readonly string[];
  readonly fix?: (mail: Mail, of: readonly Use[]) => Found['fixes'];
}

interface Use {
  readonly block: Block;
  readonly declaration: Declaration;
}

const word = 'Outlook for Windows';
const isShown = (value: string): boolean => !/^(?:0|none|auto|initial|inherit|static)$/iu.test(value);

/** Properties that make a layout, and what holds where a client lacks them. */
const layout: readonly LayoutKind[] = [
  {
    feature: 'css-display-flex',
    is: ({ property, value }) => property === 'display' && /^(?:inline-)?flex$/iu.test(value),
    message: (clients) => `${clients}: no display:flex, the parts stand one below the other.`,
    isFine: isOnTable,
  },
  {
    feature: 'css-display-grid',
    is: ({ property, value }) => property === 'display' && /^(?:inline-)?grid$/iu.test(value),
    message: (clients) => `${clients}: no display:grid, the parts stand one below the other.`,
    isFine: isOnTable,
  },
  {
    feature: 'css-position',
    is: ({ property, value }) => property === 'position' && /^(?:absolute|fixed|sticky)$/iu.test(value),
    message: (clients) => `${clients}: no position, it stands where it is in the text.`,
  },
  {
    feature: 'css-margin',
    is: ({ property, value }) => /^margin(?:-|$)/u.test(property) && /(?:^|\s)-[\d.]*[1-9]/u.test(value),
    also: ['Gmail', word, 'Outlook.com and new Outlook', 'Yahoo'],
    message: (clients) => `${clients}: no negative margins, nothing moves over its neighbour.`,
  },
  {
    feature: 'css-max-width',
    is: ({ property, value }) => property === 'max-width' && (pixels(value) ?? 0) > 0,
    also: [word],
    message: () => 'Outlook for Windows knows no max-width here: the email is as wide as the window.',
    isFine: hasWidthForWord,
    fix: ghostTable,
  },
  {
    feature: 'css-background',
    is: ({ property, value }) =>
      property === 'background' && isShown(value) && readColor(value) === undefined && /url\(|\s/u.test(value),
    also: [word],
    message: () =>
      'Outlook for Windows reads colours only in the shorthand background: write background-color beside it.',
    isFine: hasBackgroundColor,
    fix: longhand,
  },
];

/** Tables and their cells stay tables where a client has no flexible boxes. */
function isOnTable(_mail: Mail, { element }: Block): boolean {
  return element !== undefined && /^(?:table|tbody|tr|td|th)$/u.test(element.name);
}

/** Whether Word has a width from elsewhere: an attribute, a table made for it, or a table around. */
function hasWidthForWord(mail: Mail, block: Block): boolean {
  const { element, rule } = block;
  if (rule) return rule.atRule !== undefined || wideFor(mail, block).length === 0;
  return element === undefined || !isWideElement(mail, element);
}

const keyOf = ({ part, start }: Place): string => `${part} ${start}`;

/** The elements for which a rule decides a width that Word would need to know. */
function wideFor(mail: Mail, { declarations, place }: Block): readonly Element[] {
  const own = declarations.find(({ property }) => property === 'max-width');
  return (own && mail.once(wideElements).get(keyOf(place(own.start, own.end)))) ?? [];
}

/** By the place of the declaration that decides, the elements whose width Word would need to know. */
function wideElements(mail: Mail): ReadonlyMap<string, readonly Element[]> {
  const { own } = mail.once(cascadeOf);
  const found = new Map<string, Element[]>();
  for (const element of mail.named('div')) {
    const decided = own(element, 'max-width');
    if (!decided || !isWideElement(mail, element)) continue;
    const same = found.get(keyOf(decided.place));
    if (same) same.push(element);
    else found.set(keyOf(decided.place), [element]);
  }
  return found;
}

function isWideElement(mail: Mail, element: Element): boolean {
  return (
    element.name === 'div' &&
    !mail.isHiddenFromOutlook(element.start) &&
    !isInGhostTable(mail, element) &&
    !fixedAround(mail, element)
  );
}

/** Whether a table that only Outlook sees opens right before an element, or right in it. */
function isInGhostTable(mail: Mail, { start, openEnd }: Element): boolean {
  const { starts, follows } = mail.once(ghostTables);
  return follows.has(start) || starts.has(afterBlanks(mail.email.body, openEnd, starts));
}

interface GhostTables {
  /** Where the comments begin that open one. */
  readonly starts: ReadonlySet<number>;
  /** Where the first content behind each stands. */
  readonly follows: ReadonlySet<number>;
}

function ghostTables({ conditions, email: { body } }: Mail): GhostTables {
  const opening = conditions.blocks.filter(
    ({ isRevealed, opener, closer }) => !isRevealed && /<t(?:d|able|r)\b/iu.test(body.slice(opener.end, closer.start)),
  );
  // From the last one on: many may stand one behind the other.
  const known = new Map<number, number>();
  for (const { end } of opening.toReversed()) {
    const at = afterBlanks(body, end, known);
    known.set(end, known.get(at) ?? at);
  }
  return { starts: new Set(opening.map(({ start }) => start)), follows: new Set(known.values()) };
}

/** Where white space and comments end, or one of some places comes. */
function afterBlanks(body: string, from: number, until: { has: (place: number) => boolean }): number {
  const blank = /\s+|<!--[^]*?-->/uy;
  blank.lastIndex = from;
  let at = from;
  while (!until.has(at) && blank.test(body)) at = blank.lastIndex;
  return at;
}

function fixedAround(mail: Mail, element: Element): boolean {
  if (element.parent && mail.once(fixedWidths)(element.parent)) return true;
  return pixels(mail.once(cascadeOf).own(element, 'width')?.value) !== undefined;
}

/** Whether an element, or one that it is in, is a table with a width, or in one that only Outlook sees. */
function fixedWidths(mail: Mail): (element: Element) => true | undefined {
  const { own } = mail.once(cascadeOf);
  const isFixed = (element: Element): boolean =>
    /^(?:table|td)$/u.test(element.name) &&
    (/^\d+(?:px)?$/u.test(element.get('width') ?? '') || pixels(own(element, 'width')?.value) !== undefined);
  return inherited((element) => isFixed(element) || isInGhostTable(mail, element) || undefined);
}

function ghostTable(mail: Mail, uses: readonly Use[]): Found['fixes'] {
  const { own } = mail.once(cascadeOf);
  const edits = uses.flatMap(({ block, declaration }) => {
    const elements = block.element ? [block.element] : wideFor(mail, block);
    return elements.flatMap((element) => {
      const width = Math.round(pixels(own(element, 'max-width')?.value ?? declaration.value) ?? 600);
      const attributes = `role="presentation" align="center" border="0" cellpadding="0" cellspacing="0" width="${width}"`;
      const table = `<!--[if mso]><table ${attributes}><tr><td><![endif]-->`;
      const end = '<!--[if mso]></td></tr></table><![endif]-->';
      return isLostBefore(mail, element)
        ? [insert(element.openEnd, table), insert(element.closeStart, end)]
        : [insert(element.start, table), insert(element.end, end)];
    });
  });
  return edits.length === 0 ? undefined : [{ title: 'Put a table around it that only Outlook sees', edits }];
}

function hasBackgroundColor(mail: Mail, { declarations, element, rule }: Block, { value }: Declaration): boolean {
  if (rule?.atRule || (element && (mail.isHiddenFromOutlook(element.start) || hasVml(mail, element)))) return true;
  return (
    declarations.some(({ property }) => property === 'background-color') ||
    Boolean(element?.get('bgcolor')) ||
    colorIn(value) === undefined
  );
}

/** The colour in a shorthand, as it is written. */
const colorIn = (value: string): string | undefined =>
  value
    .replace(cssAddresses, ' ')
    .match(/#[\da-f]{3,8}\b|rgba?\([^)]*\)|[a-z]+/giu)
    ?.find((piece) => readColor(piece) !== undefined);

function longhand(_mail: Mail, uses: readonly Use[]): Found['fixes'] {
  const edits = uses.flatMap(({ block, declaration: { value, end } }) => {
    const color = colorIn(value);
    return color === undefined ? [] : [{ ...block.place(end, end), text: `; background-color: ${color}` }];
  });
  return edits.length === 0 ? undefined : [{ title: 'Write the colour as background-color too', edits }];
}

/** Whether AcyMailing loses a comment that is put before an element: it is the first thing of a body without `<body>`. */
const isLostBefore = ({ isComposed, authored, sentRange }: Mail, { start }: Element): boolean =>
  isComposed && start === sentRange.start && !authored.elements.some(({ name }) => name === 'body');

function layoutByClient(mail: Mail): readonly Found[] {
  const uses = mail.once(layoutUses);
  return layout.flatMap((kind) => {
    const missing = withoutSupport(kind.feature, mail.clients);
    const clients = mail.clients
      .map(({ name }) => name)
      .filter((name) => missing.includes(name) || kind.also?.includes(name));
    if (clients.length === 0) return [];
    const of = (uses.get(kind) ?? []).filter(({ block, declaration }) => !kind.isFine?.(mail, block, declaration));
    const harmful = of.filter((use) => !isQuiet(mail, use, clients));
    const told = harmful.length > 0 ? harmful : of;
    const fixes = kind.fix?.(mail, told);
    return grouped(
      told.map(({ block, declaration }) => block.place(declaration.start, declaration.end)),
      kind.message(listed(clients)),
      {
        clients,
        url: featurePage(kind.feature),
        ...(harmful.length === 0 && { severity: 'hint' as const }),
        ...(fixes && { fixes }),
      },
    );
  });
}

function layoutUses(mail: Mail): ReadonlyMap<LayoutKind, readonly Use[]> {
  const found = new Map<LayoutKind, Use[]>(layout.map((kind) => [kind, []]));
  for (const block of mail.once(sentBlocks)) {
    for (const declaration of block.declarations) {
      if (!layoutProperty.test(declaration.property)) continue;
      for (const kind of layout) if (kind.is(declaration)) found.get(kind)?.push({ block, declaration });
    }
  }
  return found;
}

const layoutProperty = /^(?:display|position|margin|max-width|background)/u;

/** A fallback stands before it, only other clients get it, or it is for a narrow window. */
function isQuiet(mail: Mail, { block, declaration }: Use, clients: readonly string[]): boolean {
  const hasFallback = block.declarations.some(
    ({ property, start }) => property === declaration.property && start < declaration.start,
  );
  const isForOthers =
    block.element !== undefined &&
    clients.every((name) => name === word) &&
    mail.isHiddenFromOutlook(block.element.start);
  return hasFallback || isForOthers || block.rule?.atRule !== undefined;
}

export const styleRules: readonly Rule[] = [
  {
    id: '24',
    name: 'style-size',
    title: 'Styles over 16 KB',
    severity: 'warning',
    cost: 'Gmail drops the styles that pass it.',
    url: gmailStyles,
    find: tooManyStyles,
  },
  {
    id: '25',
    name: 'nested-at-rule',
    title: 'At-rule within an at-rule',
    severity: 'error',
    cost: 'Gmail drops all styles of the block.',
    url: gmailStyles,
    find: nestedAtRules,
  },
  {
    id: '26',
    name: 'leading-comment',
    title: 'Rule after a CSS comment at the start',
    severity: 'hint',
    cost: 'The rule does not act in some webmails.',
    url: 'https://github.com/hteumeuleu/email-bugs/issues/25',
    find: ruleAfterComment,
  },
  {
    id: '28',
    name: 'layout',
    title: 'Layout that some clients do not know',
    severity: 'warning',
    hasFix: true,
    cost: 'Columns fall apart, the email is too wide.',
    url: 'https://www.caniemail.com/',
    find: layoutByClient,
  },
];
