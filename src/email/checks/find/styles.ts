import { createDesktopCascade, toPixels } from '../cascade.ts';
import { parseColor } from '../color.ts';
import { cssUrls } from '../css.ts';
import type { AtRule, StyleDeclaration } from '../css.ts';
import { createInheritedLookup } from '../document.ts';
import type { BodyElement } from '../document.ts';
import { insertEdit } from '../partEdits.ts';
import type { DeclarationBlock, ParsedEmail, PlacedStylesheet } from '../parsedEmail.ts';
import type { RuleFinding, PartRange } from '../model.ts';
import { groupFindings, joinNames } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { isSentAtRule, isSentMedia, createSentBlocks, createSentRules, staysInHead } from '../sentStyles.ts';
import { featureUrl, findUnsupportingClients } from '../support.ts';
import { hasNearbyVml } from './structure.ts';

const GMAIL_CSS_URL = 'https://developers.google.com/workspace/gmail/design/css';

/** Gmail drops styles beyond this length. */
const MAX_GMAIL_STYLE_CHARS = 16 * 1024;

const isForGmail = ({ clients }: ParsedEmail): boolean => clients.some(({ id }) => id === 'gmail');

function getSentStyleLength(mail: ParsedEmail, sheet: PlacedStylesheet): number {
  if (!mail.isComposed) return sheet.css.length;
  const sent = mail.once(createSentRules);
  const rules = sheet.rules.filter(
    (rule) => sent.has(rule) && staysInHead(rule) && (!rule.atRule || isSentMedia(rule.atRule)),
  );
  const whole = sheet.atRules.filter((atRule) => !atRule.parent && atRule.name !== 'media' && isSentAtRule(atRule));
  return [...rules, ...whole].reduce((sum, { start, end }) => sum + end - start, 0);
}

function findTooManyStyles(mail: ParsedEmail): readonly RuleFinding[] {
  if (!isForGmail(mail)) return [];
  let length = 0;
  const overLimit = mail.sheets.filter((sheet) => (length += getSentStyleLength(mail, sheet)) > MAX_GMAIL_STYLE_CHARS);
  const message = `The styles come to ${Math.ceil(length / 1024)} KB here: Gmail drops the <style> that passes 16 KB, and all after it.`;
  return groupFindings(
    overLimit.map(({ fullRange }) => fullRange),
    message,
    { clients: ['Gmail'] },
  );
}

function findNestedAtRules(mail: ParsedEmail): readonly RuleFinding[] {
  const nested = mail.sheets.flatMap((sheet) =>
    sheet.atRules.filter(({ parent }) => parent).map((rule) => ({ rule, sheet })),
  );
  const isLost = ({ rule }: (typeof nested)[number]): boolean => mail.isComposed && !isSentAtRule(rule);
  const lostRules = nested.filter(isLost).map(({ rule, sheet }) => sheet.toRange(rule.start, rule.end));
  const message = 'AcyMailing sends no at-rules that are inside @media.';
  return [
    ...groupFindings(lostRules, message, { severity: 'warning' }),
    ...toGmailFindings(
      mail,
      nested.filter((one) => !isLost(one)),
    ),
  ];
}

function toGmailFindings(
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

function findRulesAfterComment(mail: ParsedEmail): readonly RuleFinding[] {
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

interface LayoutCheck {
  readonly feature: string;
  readonly matches: (declaration: StyleDeclaration) => boolean;
  readonly formatMessage: (clients: string) => string;
  readonly isHarmless?: (mail: ParsedEmail, block: DeclarationBlock, declaration: StyleDeclaration) => boolean;
  /** More clients that lack support for this form of the feature. */
  readonly otherClients?: readonly string[];
  readonly createFixes?: (mail: ParsedEmail, of: readonly LayoutUse[]) => RuleFinding['fixes'];
}

interface LayoutUse {
  readonly block: DeclarationBlock;
  readonly declaration: StyleDeclaration;
}

const OUTLOOK_WINDOWS = 'Outlook for Windows';
const isVisibleValue = (value: string): boolean => !/^(?:0|none|auto|initial|inherit|static)$/iu.test(value);

const layoutChecks: readonly LayoutCheck[] = [
  {
    feature: 'css-display-flex',
    matches: ({ property, value }) => property === 'display' && /^(?:inline-)?flex$/iu.test(value),
    formatMessage: (clients) => `${clients}: no display:flex, the parts stand one below the other.`,
    isHarmless: isOnTable,
  },
  {
    feature: 'css-display-grid',
    matches: ({ property, value }) => property === 'display' && /^(?:inline-)?grid$/iu.test(value),
    formatMessage: (clients) => `${clients}: no display:grid, the parts stand one below the other.`,
    isHarmless: isOnTable,
  },
  {
    feature: 'css-position',
    matches: ({ property, value }) => property === 'position' && /^(?:absolute|fixed|sticky)$/iu.test(value),
    formatMessage: (clients) => `${clients}: no position, it stands where it is in the text.`,
  },
  {
    feature: 'css-margin',
    matches: ({ property, value }) => /^margin(?:-|$)/u.test(property) && /(?:^|\s)-[\d.]*[1-9]/u.test(value),
    otherClients: ['Gmail', OUTLOOK_WINDOWS, 'Outlook.com and new Outlook', 'Yahoo'],
    formatMessage: (clients) => `${clients}: no negative margins, nothing moves over its neighbor.`,
  },
  {
    feature: 'css-max-width',
    matches: ({ property, value }) => property === 'max-width' && (toPixels(value) ?? 0) > 0,
    otherClients: [OUTLOOK_WINDOWS],
    formatMessage: () => 'Outlook for Windows knows no max-width here: the email is as wide as the window.',
    isHarmless: hasOutlookWidth,
    createFixes: createGhostTableFixes,
  },
  {
    feature: 'css-background',
    matches: ({ property, value }) =>
      property === 'background' && isVisibleValue(value) && parseColor(value) === undefined && /url\(|\s/u.test(value),
    otherClients: [OUTLOOK_WINDOWS],
    formatMessage: () =>
      'Outlook for Windows reads colors only in the shorthand background: write background-color beside it.',
    isHarmless: hasBackgroundColor,
    createFixes: createBackgroundColorFixes,
  },
];

/** Tables and cells keep their table layout in clients without flexbox or grid. */
function isOnTable(_mail: ParsedEmail, { element }: DeclarationBlock): boolean {
  return element !== undefined && /^(?:table|tbody|tr|td|th)$/u.test(element.name);
}

/** Returns whether Outlook for Windows gets a width from an attribute, a ghost table, or a surrounding table. */
function hasOutlookWidth(mail: ParsedEmail, block: DeclarationBlock): boolean {
  const { element, rule } = block;
  if (rule) return rule.atRule !== undefined || getWideElements(mail, block).length === 0;
  return element === undefined || !needsOutlookWidth(mail, element);
}

const getRangeKey = ({ part, start }: PartRange): string => `${part} ${start}`;

/** Returns the elements whose missing Outlook width comes from a rule. */
function getWideElements(mail: ParsedEmail, { declarations, toRange }: DeclarationBlock): readonly BodyElement[] {
  const own = declarations.find(({ property }) => property === 'max-width');
  return (own && mail.once(indexWideElements).get(getRangeKey(toRange(own.start, own.end)))) ?? [];
}

/** Groups the elements that lack an Outlook width by the range of their max-width declaration. */
function indexWideElements(mail: ParsedEmail): ReadonlyMap<string, readonly BodyElement[]> {
  const { getDeclaration } = mail.once(createDesktopCascade);
  const found = new Map<string, BodyElement[]>();
  for (const element of mail.getElements('div')) {
    const decided = getDeclaration(element, 'max-width');
    if (!decided || !needsOutlookWidth(mail, element)) continue;
    const elements = found.get(getRangeKey(decided.range));
    if (elements) elements.push(element);
    else found.set(getRangeKey(decided.range), [element]);
  }
  return found;
}

function needsOutlookWidth(mail: ParsedEmail, element: BodyElement): boolean {
  return (
    element.name === 'div' &&
    !mail.isHiddenFromOutlook(element.start) &&
    !isInGhostTable(mail, element) &&
    !hasFixedWidth(mail, element)
  );
}

/** Returns whether an Outlook-only table opens right before an element, or at its start. */
function isInGhostTable(mail: ParsedEmail, { start, openEnd }: BodyElement): boolean {
  const { starts, contentStarts } = mail.once(findGhostTables);
  return contentStarts.has(start) || starts.has(skipBlanksAndComments(mail.email.body, openEnd, starts));
}

interface GhostTables {
  readonly starts: ReadonlySet<number>;
  readonly contentStarts: ReadonlySet<number>;
}

function findGhostTables({ conditions, email: { body } }: ParsedEmail): GhostTables {
  const opening = conditions.blocks.filter(
    ({ isRevealed, opener, closer }) => !isRevealed && /<t(?:d|able|r)\b/iu.test(body.slice(opener.end, closer.start)),
  );
  // Processed from the last one, because many may follow each other.
  const contentStarts = new Map<number, number>();
  for (const { end } of opening.toReversed()) {
    const offset = skipBlanksAndComments(body, end, contentStarts);
    contentStarts.set(end, contentStarts.get(offset) ?? offset);
  }
  return { starts: new Set(opening.map(({ start }) => start)), contentStarts: new Set(contentStarts.values()) };
}

/** Returns the offset after whitespace and comments, or the first of the given offsets. */
function skipBlanksAndComments(body: string, from: number, until: { has: (offset: number) => boolean }): number {
  const blank = /\s+|<!--[^]*?-->/uy;
  blank.lastIndex = from;
  let at = from;
  while (!until.has(at) && blank.test(body)) at = blank.lastIndex;
  return at;
}

function hasFixedWidth(mail: ParsedEmail, element: BodyElement): boolean {
  if (element.parent && mail.once(createFixedWidthLookup)(element.parent)) return true;
  return toPixels(mail.once(createDesktopCascade).getDeclaration(element, 'width')?.value) !== undefined;
}

/** Returns a function that checks if an element or an ancestor is a table with a width, or in an Outlook-only table. */
function createFixedWidthLookup(mail: ParsedEmail): (element: BodyElement) => true | undefined {
  const { getDeclaration } = mail.once(createDesktopCascade);
  const isFixed = (element: BodyElement): boolean =>
    /^(?:table|td)$/u.test(element.name) &&
    (/^\d+(?:px)?$/u.test(element.get('width') ?? '') ||
      toPixels(getDeclaration(element, 'width')?.value) !== undefined);
  return createInheritedLookup((element) => isFixed(element) || isInGhostTable(mail, element) || undefined);
}

function createGhostTableFixes(mail: ParsedEmail, uses: readonly LayoutUse[]): RuleFinding['fixes'] {
  const { getDeclaration } = mail.once(createDesktopCascade);
  const edits = uses.flatMap(({ block, declaration }) => {
    const elements = block.element ? [block.element] : getWideElements(mail, block);
    return elements.flatMap((element) => {
      const width = Math.round(toPixels(getDeclaration(element, 'max-width')?.value ?? declaration.value) ?? 600);
      const attributes = `role="presentation" align="center" border="0" cellpadding="0" cellspacing="0" width="${width}"`;
      const table = `<!--[if mso]><table ${attributes}><tr><td><![endif]-->`;
      const end = '<!--[if mso]></td></tr></table><![endif]-->';
      return isCommentLostBefore(mail, element)
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
  if (rule?.atRule || (element && (mail.isHiddenFromOutlook(element.start) || hasNearbyVml(mail, element))))
    return true;
  return (
    declarations.some(({ property }) => property === 'background-color') ||
    Boolean(element?.get('bgcolor')) ||
    findColor(value) === undefined
  );
}

const findColor = (value: string): string | undefined =>
  value
    .replace(cssUrls, ' ')
    .match(/#[\da-f]{3,8}\b|rgba?\([^)]*\)|[a-z]+/giu)
    ?.find((piece) => parseColor(piece) !== undefined);

function createBackgroundColorFixes(_mail: ParsedEmail, uses: readonly LayoutUse[]): RuleFinding['fixes'] {
  const edits = uses.flatMap(({ block, declaration: { value, end } }) => {
    const color = findColor(value);
    return color === undefined ? [] : [{ ...block.toRange(end, end), text: `; background-color: ${color}` }];
  });
  return edits.length === 0 ? undefined : [{ title: 'Write the color as background-color too', edits }];
}

/** Returns whether AcyMailing drops a comment inserted before an element, because the element starts a body without `<body>`. */
const isCommentLostBefore = ({ isComposed, authored, sentRange }: ParsedEmail, { start }: BodyElement): boolean =>
  isComposed && start === sentRange.start && !authored.elements.some(({ name }) => name === 'body');

function findLayoutProblems(mail: ParsedEmail): readonly RuleFinding[] {
  const usesByCheck = mail.once(indexLayoutUses);
  return layoutChecks.flatMap((check) => {
    const missing = findUnsupportingClients(check.feature, mail.clients);
    const clients = mail.clients
      .map(({ name }) => name)
      .filter((name) => missing.includes(name) || check.otherClients?.includes(name));
    if (clients.length === 0) return [];
    const uses = (usesByCheck.get(check) ?? []).filter(
      ({ block, declaration }) => !check.isHarmless?.(mail, block, declaration),
    );
    const harmful = uses.filter((use) => !isLowRisk(mail, use, clients));
    const reported = harmful.length > 0 ? harmful : uses;
    const fixes = check.createFixes?.(mail, reported);
    return groupFindings(
      reported.map(({ block, declaration }) => block.toRange(declaration.start, declaration.end)),
      check.formatMessage(joinNames(clients)),
      {
        clients,
        url: featureUrl(check.feature),
        ...(harmful.length === 0 && { severity: 'hint' as const }),
        ...(fixes && { fixes }),
      },
    );
  });
}

function indexLayoutUses(mail: ParsedEmail): ReadonlyMap<LayoutCheck, readonly LayoutUse[]> {
  const found = new Map<LayoutCheck, LayoutUse[]>(layoutChecks.map((check) => [check, []]));
  for (const block of mail.once(createSentBlocks)) {
    for (const declaration of block.declarations) {
      if (!layoutProperty.test(declaration.property)) continue;
      for (const check of layoutChecks) if (check.matches(declaration)) found.get(check)?.push({ block, declaration });
    }
  }
  return found;
}

const layoutProperty = /^(?:display|position|margin|max-width|background)/u;

/** Returns whether a use has little impact: it has a fallback, is for other clients only, or is inside a media query. */
function isLowRisk(mail: ParsedEmail, { block, declaration }: LayoutUse, clients: readonly string[]): boolean {
  const hasFallback = block.declarations.some(
    ({ property, start }) => property === declaration.property && start < declaration.start,
  );
  const isForOthers =
    block.element !== undefined &&
    clients.every((name) => name === OUTLOOK_WINDOWS) &&
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
    url: GMAIL_CSS_URL,
    find: findTooManyStyles,
  },
  {
    id: '25',
    name: 'nested-at-rule',
    title: 'At-rule within an at-rule',
    severity: 'error',
    impact: 'Gmail drops all styles of the block.',
    url: GMAIL_CSS_URL,
    find: findNestedAtRules,
  },
  {
    id: '26',
    name: 'leading-comment',
    title: 'Rule after a CSS comment at the start',
    severity: 'hint',
    impact: 'The rule does not act in some webmails.',
    url: 'https://github.com/hteumeuleu/email-bugs/issues/25',
    find: findRulesAfterComment,
  },
  {
    id: '28',
    name: 'layout',
    title: 'Layout that some clients do not know',
    severity: 'warning',
    hasFix: true,
    impact: 'Columns fall apart, the email is too wide.',
    url: 'https://www.caniemail.com/',
    find: findLayoutProblems,
  },
];
