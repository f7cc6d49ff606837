import { createDesktopCascade, toPixels } from '../cascade.ts';
import { parseColor } from '../color.ts';
import { cssUrls } from '../css.ts';
import type { AtRule, StyleDeclaration } from '../css.ts';
import { createInheritedLookup } from '../document.ts';
import type { BodyElement } from '../document.ts';
import { insertEdit } from '../edits.ts';
import type { DeclarationBlock, ParsedEmail, PlacedStylesheet } from '../mail.ts';
import type { RuleFinding, PartRange } from '../model.ts';
import { groupFindings, joinNames } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { isSentAtRule, isSentMedia, createSentBlocks, createSentRules, staysInHead } from '../sentStyles.ts';
import { featureUrl, findUnsupportingClients } from '../support.ts';
import { hasVml } from './structure.ts';

const gmailStyles = 'https://developers.google.com/workspace/gmail/design/css';

/** Characters of styles that Gmail takes. */
const mostStyles = 16 * 1024;

const isForGmail = ({ clients }: ParsedEmail): boolean => clients.some(({ id }) => id === 'gmail');

/** What is left of a stylesheet where the email arrives. */
function stylesLength(mail: ParsedEmail, sheet: PlacedStylesheet): number {
  if (!mail.isComposed) return sheet.css.length;
  const sent = mail.once(createSentRules);
  const rules = sheet.rules.filter(
    (rule) => sent.has(rule) && staysInHead(rule) && (!rule.atRule || isSentMedia(rule.atRule)),
  );
  const whole = sheet.atRules.filter((atRule) => !atRule.parent && atRule.name !== 'media' && isSentAtRule(atRule));
  return [...rules, ...whole].reduce((sum, { start, end }) => sum + end - start, 0);
}

function tooManyStyles(mail: ParsedEmail): readonly RuleFinding[] {
  if (!isForGmail(mail)) return [];
  let length = 0;
  const beyond = mail.sheets.filter((sheet) => (length += stylesLength(mail, sheet)) > mostStyles);
  const message = `The styles come to ${Math.ceil(length / 1024)} KB here: Gmail drops the <style> that passes 16 KB, and all after it.`;
  return groupFindings(
    beyond.map(({ fullRange }) => fullRange),
    message,
    { clients: ['Gmail'] },
  );
}

function nestedAtRules(mail: ParsedEmail): readonly RuleFinding[] {
  const nested = mail.sheets.flatMap((sheet) =>
    sheet.atRules.filter(({ parent }) => parent).map((rule) => ({ rule, sheet })),
  );
  const isLost = ({ rule }: (typeof nested)[number]): boolean => mail.isComposed && !isSentAtRule(rule);
  const lost = nested.filter(isLost).map(({ rule, sheet }) => sheet.toRange(rule.start, rule.end));
  const message = 'AcyMailing sends no at-rules that are inside @media.';
  return [
    ...groupFindings(lost, message, { severity: 'warning' }),
    ...refusedByGmail(
      mail,
      nested.filter((one) => !isLost(one)),
    ),
  ];
}

function refusedByGmail(
  mail: ParsedEmail,
  all: readonly { readonly rule: AtRule; readonly sheet: PlacedStylesheet }[],
): readonly RuleFinding[] {
  if (!isForGmail(mail)) return [];
  const harmlessSheets = new Set(mail.sheets.filter(isFontsOnly));
  const ranges = (harmless: boolean): readonly PartRange[] =>
    all
      .filter(({ sheet }) => harmlessSheets.has(sheet) === harmless)
      .map(({ rule, sheet }) => sheet.toRange(rule.start, rule.end));
  return [
    ...groupFindings(ranges(false), 'Gmail drops the whole <style> for an at-rule within an at-rule.', {
      clients: ['Gmail'],
    }),
    ...groupFindings(
      ranges(true),
      "Gmail drops this <style> for an at-rule within an at-rule; it holds nothing but fonts, which Gmail doesn't load.",
      {
        clients: ['Gmail'],
        severity: 'hint',
      },
    ),
  ];
}

function isFontsOnly({ rules, atRules }: PlacedStylesheet): boolean {
  const outer = new Set<AtRule | undefined>(atRules.map(({ parent }) => parent));
  return rules.length === 0 && atRules.every((rule) => rule.name === 'font-face' || outer.has(rule));
}

function ruleAfterComment(mail: ParsedEmail): readonly RuleFinding[] {
  // AcyMailing sends no CSS comments.
  if (mail.isComposed) return [];
  const ranges = mail.sheets.flatMap(({ css, comments, rules, toRange }) => {
    const [comment] = comments;
    const [rule] = rules;
    const isFirst = comment && css.slice(0, comment.start).trim() === '';
    return isFirst && rule && !rule.atRule && css.slice(comment.end, rule.start).trim() === ''
      ? [toRange(rule.start, rule.end)]
      : [];
  });
  return groupFindings(
    ranges,
    'Some webmails skip the first rule after a comment at the start of a <style>: put the comment elsewhere.',
  );
}

interface LayoutKind {
  readonly feature: string;
  readonly is: (declaration: StyleDeclaration) => boolean;
  readonly message: (clients: string) => string;
  readonly isFine?: (mail: ParsedEmail, block: DeclarationBlock, declaration: StyleDeclaration) => boolean;
  /** Clients that have it, but not in this form. */
  readonly also?: readonly string[];
  readonly fix?: (mail: ParsedEmail, of: readonly Use[]) => RuleFinding['fixes'];
}

interface Use {
  readonly block: DeclarationBlock;
  readonly declaration: StyleDeclaration;
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
    is: ({ property, value }) => property === 'max-width' && (toPixels(value) ?? 0) > 0,
    also: [word],
    message: () => 'Outlook for Windows knows no max-width here: the email is as wide as the window.',
    isFine: hasWidthForWord,
    fix: ghostTable,
  },
  {
    feature: 'css-background',
    is: ({ property, value }) =>
      property === 'background' && isShown(value) && parseColor(value) === undefined && /url\(|\s/u.test(value),
    also: [word],
    message: () =>
      'Outlook for Windows reads colours only in the shorthand background: write background-color beside it.',
    isFine: hasBackgroundColor,
    fix: longhand,
  },
];

/** Tables and their cells stay tables where a client has no flexible boxes. */
function isOnTable(_mail: ParsedEmail, { element }: DeclarationBlock): boolean {
  return element !== undefined && /^(?:table|tbody|tr|td|th)$/u.test(element.name);
}

/** Whether Word has a width from elsewhere: an attribute, a table made for it, or a table around. */
function hasWidthForWord(mail: ParsedEmail, block: DeclarationBlock): boolean {
  const { element, rule } = block;
  if (rule) return rule.atRule !== undefined || wideFor(mail, block).length === 0;
  return element === undefined || !isWideElement(mail, element);
}

const keyOf = ({ part, start }: PartRange): string => `${part} ${start}`;

/** The elements for which a rule decides a width that Word would need to know. */
function wideFor(mail: ParsedEmail, { declarations, toRange }: DeclarationBlock): readonly BodyElement[] {
  const own = declarations.find(({ property }) => property === 'max-width');
  return (own && mail.once(wideElements).get(keyOf(toRange(own.start, own.end)))) ?? [];
}

/** By the place of the declaration that decides, the elements whose width Word would need to know. */
function wideElements(mail: ParsedEmail): ReadonlyMap<string, readonly BodyElement[]> {
  const { own } = mail.once(createDesktopCascade);
  const found = new Map<string, BodyElement[]>();
  for (const element of mail.getElements('div')) {
    const decided = own(element, 'max-width');
    if (!decided || !isWideElement(mail, element)) continue;
    const same = found.get(keyOf(decided.range));
    if (same) same.push(element);
    else found.set(keyOf(decided.range), [element]);
  }
  return found;
}

function isWideElement(mail: ParsedEmail, element: BodyElement): boolean {
  return (
    element.name === 'div' &&
    !mail.isHiddenFromOutlook(element.start) &&
    !isInGhostTable(mail, element) &&
    !fixedAround(mail, element)
  );
}

/** Whether a table that only Outlook sees opens right before an element, or right in it. */
function isInGhostTable(mail: ParsedEmail, { start, openEnd }: BodyElement): boolean {
  const { starts, follows } = mail.once(ghostTables);
  return follows.has(start) || starts.has(afterBlanks(mail.email.body, openEnd, starts));
}

interface GhostTables {
  readonly starts: ReadonlySet<number>;
  readonly follows: ReadonlySet<number>;
}

function ghostTables({ conditions, email: { body } }: ParsedEmail): GhostTables {
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
function afterBlanks(body: string, from: number, until: { has: (offset: number) => boolean }): number {
  const blank = /\s+|<!--[^]*?-->/uy;
  blank.lastIndex = from;
  let at = from;
  while (!until.has(at) && blank.test(body)) at = blank.lastIndex;
  return at;
}

function fixedAround(mail: ParsedEmail, element: BodyElement): boolean {
  if (element.parent && mail.once(fixedWidths)(element.parent)) return true;
  return toPixels(mail.once(createDesktopCascade).own(element, 'width')?.value) !== undefined;
}

/** Whether an element, or one that it is in, is a table with a width, or in one that only Outlook sees. */
function fixedWidths(mail: ParsedEmail): (element: BodyElement) => true | undefined {
  const { own } = mail.once(createDesktopCascade);
  const isFixed = (element: BodyElement): boolean =>
    /^(?:table|td)$/u.test(element.name) &&
    (/^\d+(?:px)?$/u.test(element.get('width') ?? '') || toPixels(own(element, 'width')?.value) !== undefined);
  return createInheritedLookup((element) => isFixed(element) || isInGhostTable(mail, element) || undefined);
}

function ghostTable(mail: ParsedEmail, uses: readonly Use[]): RuleFinding['fixes'] {
  const { own } = mail.once(createDesktopCascade);
  const edits = uses.flatMap(({ block, declaration }) => {
    const elements = block.element ? [block.element] : wideFor(mail, block);
    return elements.flatMap((element) => {
      const width = Math.round(toPixels(own(element, 'max-width')?.value ?? declaration.value) ?? 600);
      const attributes = `role="presentation" align="center" border="0" cellpadding="0" cellspacing="0" width="${width}"`;
      const table = `<!--[if mso]><table ${attributes}><tr><td><![endif]-->`;
      const end = '<!--[if mso]></td></tr></table><![endif]-->';
      return isLostBefore(mail, element)
        ? [insertEdit(element.openEnd, table), insertEdit(element.closeStart, end)]
        : [insertEdit(element.start, table), insertEdit(element.end, end)];
    });
  });
  return edits.length === 0 ? undefined : [{ title: 'Put a table around it that only Outlook sees', edits }];
}

function hasBackgroundColor(
  mail: ParsedEmail,
  { declarations, element, rule }: DeclarationBlock,
  { value }: StyleDeclaration,
): boolean {
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
    .replace(cssUrls, ' ')
    .match(/#[\da-f]{3,8}\b|rgba?\([^)]*\)|[a-z]+/giu)
    ?.find((piece) => parseColor(piece) !== undefined);

function longhand(_mail: ParsedEmail, uses: readonly Use[]): RuleFinding['fixes'] {
  const edits = uses.flatMap(({ block, declaration: { value, end } }) => {
    const color = colorIn(value);
    return color === undefined ? [] : [{ ...block.toRange(end, end), text: `; background-color: ${color}` }];
  });
  return edits.length === 0 ? undefined : [{ title: 'Write the colour as background-color too', edits }];
}

/** Whether AcyMailing loses a comment that is put before an element: it is the first thing of a body without `<body>`. */
const isLostBefore = ({ isComposed, authored, sentRange }: ParsedEmail, { start }: BodyElement): boolean =>
  isComposed && start === sentRange.start && !authored.elements.some(({ name }) => name === 'body');

function layoutByClient(mail: ParsedEmail): readonly RuleFinding[] {
  const uses = mail.once(layoutUses);
  return layout.flatMap((kind) => {
    const missing = findUnsupportingClients(kind.feature, mail.clients);
    const clients = mail.clients
      .map(({ name }) => name)
      .filter((name) => missing.includes(name) || kind.also?.includes(name));
    if (clients.length === 0) return [];
    const of = (uses.get(kind) ?? []).filter(({ block, declaration }) => !kind.isFine?.(mail, block, declaration));
    const harmful = of.filter((use) => !isQuiet(mail, use, clients));
    const told = harmful.length > 0 ? harmful : of;
    const fixes = kind.fix?.(mail, told);
    return groupFindings(
      told.map(({ block, declaration }) => block.toRange(declaration.start, declaration.end)),
      kind.message(joinNames(clients)),
      {
        clients,
        url: featureUrl(kind.feature),
        ...(harmful.length === 0 && { severity: 'hint' as const }),
        ...(fixes && { fixes }),
      },
    );
  });
}

function layoutUses(mail: ParsedEmail): ReadonlyMap<LayoutKind, readonly Use[]> {
  const found = new Map<LayoutKind, Use[]>(layout.map((kind) => [kind, []]));
  for (const block of mail.once(createSentBlocks)) {
    for (const declaration of block.declarations) {
      if (!layoutProperty.test(declaration.property)) continue;
      for (const kind of layout) if (kind.is(declaration)) found.get(kind)?.push({ block, declaration });
    }
  }
  return found;
}

const layoutProperty = /^(?:display|position|margin|max-width|background)/u;

/** A fallback stands before it, only other clients get it, or it is for a narrow window. */
function isQuiet(mail: ParsedEmail, { block, declaration }: Use, clients: readonly string[]): boolean {
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
    impact: 'Gmail drops the styles that pass it.',
    url: gmailStyles,
    find: tooManyStyles,
  },
  {
    id: '25',
    name: 'nested-at-rule',
    title: 'At-rule within an at-rule',
    severity: 'error',
    impact: 'Gmail drops all styles of the block.',
    url: gmailStyles,
    find: nestedAtRules,
  },
  {
    id: '26',
    name: 'leading-comment',
    title: 'Rule after a CSS comment at the start',
    severity: 'hint',
    impact: 'The rule does not act in some webmails.',
    url: 'https://github.com/hteumeuleu/email-bugs/issues/25',
    find: ruleAfterComment,
  },
  {
    id: '28',
    name: 'layout',
    title: 'Layout that some clients do not know',
    severity: 'warning',
    hasFix: true,
    impact: 'Columns fall apart, the email is too wide.',
    url: 'https://www.caniemail.com/',
    find: layoutByClient,
  },
];
