import { memoize, inherit } from '../memoize.ts';
import {
  getDeclaration,
  getSentBlocks,
  getStyle,
  getUseRange,
  isSentAtRule,
  isSentMedia,
  staysInHead,
  toPixels,
} from '../cascade.ts';
import type { DeclarationUse } from '../cascade.ts';
import { parseColor } from '../color.ts';
import { cssUrls, type AtRule, type SheetRule, type StyleDeclaration } from '../css.ts';
import type { BodyElement } from '../document.ts';
import type { PartEdit, PartRange } from '../model.ts';
import { insertEdit } from '../partEdits.ts';
import type { ParsedEmail, PlacedStylesheet } from '../parsedEmail.ts';
import { joinNames } from '../rule.ts';
import type { Rule, RuleFinding } from '../rule.ts';
import { featureUrl, findUnsupportingClients } from '../support.ts';
import { hasNearbyVml } from './structure.ts';

const GMAIL_CSS_URL = 'https://developers.google.com/workspace/gmail/design/css';

/** Gmail drops styles beyond this length. */
const MAX_GMAIL_STYLE_CHARS = 16 * 1024;

const OUTLOOK_WINDOWS = 'Outlook for Windows';

const getSentRules = memoize(
  (mail: ParsedEmail): ReadonlySet<SheetRule | undefined> => new Set(getSentBlocks(mail).map(({ rule }) => rule)),
);

function getSentStyleLength(mail: ParsedEmail, sheet: PlacedStylesheet): number {
  if (!mail.isComposed) return sheet.css.length;
  const rules = sheet.rules.filter(
    (rule) => getSentRules(mail).has(rule) && staysInHead(rule) && (!rule.atRule || isSentMedia(rule.atRule)),
  );
  const whole = sheet.atRules.filter((atRule) => !atRule.parent && atRule.name !== 'media' && isSentAtRule(atRule));
  return [...rules, ...whole].reduce((sum, { start, end }) => sum + end - start, 0);
}

function isFontsOnly({ rules, atRules }: PlacedStylesheet): boolean {
  const outer = new Set<AtRule | undefined>(atRules.map(({ parent }) => parent));
  return rules.length === 0 && atRules.every((rule) => rule.name === 'font-face' || outer.has(rule));
}

function findNestedAtRules(mail: ParsedEmail): readonly RuleFinding[] {
  const findRanges = (isReported: (rule: AtRule, sheet: PlacedStylesheet) => boolean): readonly PartRange[] =>
    mail.sheets.flatMap((sheet) =>
      sheet.atRules
        .filter((rule) => rule.parent && isReported(rule, sheet))
        .map(({ start, end }) => sheet.toRange(start, end)),
    );
  const isLost = (rule: AtRule): boolean => mail.isComposed && !isSentAtRule(rule);
  const fontSheets = new Set(mail.sheets.filter(isFontsOnly));
  const lost: RuleFinding = {
    ranges: findRanges(isLost),
    message: "AcyMailing doesn't send at-rules inside @media.",
    severity: 'warning',
  };
  if (!mail.isFor('gmail')) return [lost];
  return [
    lost,
    {
      ranges: findRanges((rule, sheet) => !isLost(rule) && !fontSheets.has(sheet)),
      message: 'Nested at-rule: Gmail drops the whole <style> element.',
      clients: ['Gmail'],
    },
    {
      ranges: findRanges((rule, sheet) => !isLost(rule) && fontSheets.has(sheet)),
      message:
        "Nested at-rule: Gmail drops this <style> element. It contains only fonts, which Gmail doesn't load anyway.",
      clients: ['Gmail'],
      severity: 'hint',
    },
  ];
}

/** A use of a layout feature that some clients don't support. */
interface LayoutCheck {
  readonly feature: string;
  readonly matches: (declaration: StyleDeclaration) => boolean;
  /** What is not supported, and the effect. */
  readonly subject: string;
  readonly effect: string;
  readonly isHarmless?: (mail: ParsedEmail, use: DeclarationUse) => boolean;
  /** More clients that lack support for this form of the feature. */
  readonly otherClients?: readonly string[];
  readonly fix?: {
    readonly title: string;
    readonly edit: (mail: ParsedEmail, use: DeclarationUse) => readonly PartEdit[];
  };
}

const isVisibleValue = (value: string): boolean => !/^(?:0|none|auto|initial|inherit|static)$/iu.test(value);

const layoutChecks: readonly LayoutCheck[] = [
  {
    feature: 'css-display-flex',
    matches: ({ property, value }) => property === 'display' && /^(?:inline-)?flex$/iu.test(value),
    subject: 'display: flex',
    effect: 'The items stack vertically.',
    isHarmless: isOnTable,
  },
  {
    feature: 'css-display-grid',
    matches: ({ property, value }) => property === 'display' && /^(?:inline-)?grid$/iu.test(value),
    subject: 'display: grid',
    effect: 'The items stack vertically.',
    isHarmless: isOnTable,
  },
  {
    feature: 'css-position',
    matches: ({ property, value }) => property === 'position' && /^(?:absolute|fixed|sticky)$/iu.test(value),
    subject: 'This position',
    effect: 'The element stays in the normal flow.',
  },
  {
    feature: 'css-margin',
    matches: ({ property, value }) => /^margin(?:-|$)/u.test(property) && /(?:^|\s)-[\d.]*[1-9]/u.test(value),
    otherClients: ['Gmail', OUTLOOK_WINDOWS, 'Outlook.com and new Outlook', 'Yahoo'],
    subject: 'A negative margin',
    effect: "The element doesn't overlap its neighbor.",
  },
  {
    feature: 'css-max-width',
    matches: ({ property, value }) => property === 'max-width' && (toPixels(value) ?? 0) > 0,
    otherClients: [OUTLOOK_WINDOWS],
    subject: 'max-width on this element',
    effect: 'The email is as wide as the window.',
    isHarmless: hasOutlookWidth,
    fix: { title: 'Add a table for Outlook', edit: createGhostTableEdits },
  },
  {
    feature: 'css-background',
    matches: ({ property, value }) =>
      property === 'background' && isVisibleValue(value) && parseColor(value) === undefined && /url\(|\s/u.test(value),
    otherClients: [OUTLOOK_WINDOWS],
    subject: 'This background shorthand',
    effect: 'Add background-color.',
    isHarmless: hasBackgroundColor,
    fix: { title: 'Add background-color', edit: createBackgroundColorEdits },
  },
];

/** Tables and cells keep their table layout in clients without flexbox or grid. */
function isOnTable(_mail: ParsedEmail, { block: { element } }: DeclarationUse): boolean {
  return element !== undefined && /^(?:table|tbody|tr|td|th)$/u.test(element.name);
}

/** Returns whether Outlook for Windows gets a width from an attribute, a ghost table, or a surrounding table. */
function hasOutlookWidth(mail: ParsedEmail, use: DeclarationUse): boolean {
  const { element, rule } = use.block;
  if (rule) return rule.atRule !== undefined || getWideElements(mail, use).length === 0;
  return element === undefined || !needsOutlookWidth(mail, element);
}

/** Returns the elements that lack an Outlook width because of a `max-width` declaration. */
const getWideElements = (mail: ParsedEmail, { declaration }: DeclarationUse): readonly BodyElement[] =>
  indexWideElements(mail).get(declaration) ?? [];

/** Groups the elements that lack an Outlook width by their max-width declaration. */
const indexWideElements = memoize((mail: ParsedEmail) => {
  const wideElements = mail
    .getElements('div')
    .filter((element) => getDeclaration(mail, element, 'max-width') && needsOutlookWidth(mail, element));
  return Map.groupBy(wideElements, (element) => getDeclaration(mail, element, 'max-width')?.declaration);
});

const needsOutlookWidth = (mail: ParsedEmail, element: BodyElement): boolean =>
  element.name === 'div' &&
  !mail.isHiddenFromOutlook(element.start) &&
  !isInGhostTable(mail, element) &&
  !(element.parent && isInFixedWidth(mail, element.parent)) &&
  toPixels(getStyle(mail, element, 'width')) === undefined;

/** Returns whether an Outlook-only table opens right before an element, or at its start. */
function isInGhostTable(mail: ParsedEmail, { start, openEnd }: BodyElement): boolean {
  const { starts, contentStarts } = findGhostTables(mail);
  return contentStarts.has(start) || starts.has(skipBlanksAndComments(mail.email.body, openEnd, starts));
}

const findGhostTables = memoize(({ conditions, email: { body } }: ParsedEmail) => {
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
});

/** Returns the offset after whitespace and comments, or the first of the given offsets. */
function skipBlanksAndComments(body: string, from: number, until: { has: (offset: number) => boolean }): number {
  const blank = /\s+|<!--[^]*?-->/uy;
  blank.lastIndex = from;
  let at = from;
  while (!until.has(at) && blank.test(body)) at = blank.lastIndex;
  return at;
}

/** An element or an ancestor is a table with a width, or in an Outlook-only table. */
const isInFixedWidth = inherit((mail, element): true | undefined => {
  const isFixed =
    /^(?:table|td)$/u.test(element.name) &&
    (/^\d+(?:px)?$/u.test(element.get('width') ?? '') || toPixels(getStyle(mail, element, 'width')) !== undefined);
  return isFixed || isInGhostTable(mail, element) || undefined;
});

function createGhostTableEdits(mail: ParsedEmail, use: DeclarationUse): readonly PartEdit[] {
  const { isComposed, authored, sentRange } = mail;
  const { element: styledElement } = use.block;
  return (styledElement ? [styledElement] : getWideElements(mail, use)).flatMap((element) => {
    const width = Math.round(toPixels(getStyle(mail, element, 'max-width') ?? use.declaration.value) ?? 600);
    const attributes = `role="presentation" align="center" border="0" cellpadding="0" cellspacing="0" width="${width}"`;
    const table = `<!--[if mso]><table ${attributes}><tr><td><![endif]-->`;
    const end = '<!--[if mso]></td></tr></table><![endif]-->';
    // AcyMailing drops a comment at the start of a body without <body>.
    const isCommentLost =
      isComposed && element.start === sentRange.start && !authored.elements.some(({ name }) => name === 'body');
    return isCommentLost
      ? [insertEdit(element.openEnd, table), insertEdit(element.closeStart, end)]
      : [insertEdit(element.start, table), insertEdit(element.end, end)];
  });
}

function hasBackgroundColor(mail: ParsedEmail, { block, declaration: { value } }: DeclarationUse): boolean {
  const { declarations, element, rule } = block;
  return (
    rule?.atRule !== undefined ||
    (element && (mail.isHiddenFromOutlook(element.start) || hasNearbyVml(mail, element))) ||
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

function createBackgroundColorEdits(_mail: ParsedEmail, { block, declaration }: DeclarationUse): readonly PartEdit[] {
  const { value, end } = declaration;
  const color = findColor(value);
  return color === undefined ? [] : [{ ...block.toRange(end, end), text: `; background-color: ${color}` }];
}

/** Returns the declarations of layout properties, grouped by the check that they fail. */
const indexLayoutUses = memoize((mail: ParsedEmail) => {
  const uses = new Map<LayoutCheck, DeclarationUse[]>(layoutChecks.map((check) => [check, []]));
  for (const block of getSentBlocks(mail)) {
    for (const declaration of block.declarations) {
      if (!/^(?:display|position|margin|max-width|background)/u.test(declaration.property)) continue;
      for (const check of layoutChecks) if (check.matches(declaration)) uses.get(check)?.push({ block, declaration });
    }
  }
  return uses;
});

function findLayoutProblems(mail: ParsedEmail): readonly RuleFinding[] {
  return [...indexLayoutUses(mail)].flatMap(([check, allUses]) => {
    const missing = [...findUnsupportingClients(check.feature, mail.clients), ...(check.otherClients ?? [])];
    const clients = mail.clients.map(({ name }) => name).filter((name) => missing.includes(name));
    if (clients.length === 0) return [];
    const uses = allUses.filter((use) => !check.isHarmless?.(mail, use));
    const harmful = uses.filter((use) => !isLowRisk(mail, use, clients));
    const reported = harmful.length > 0 ? harmful : uses;
    const { fix } = check;
    return [
      {
        ranges: reported.map(getUseRange),
        message: `${check.subject} is not supported by ${joinNames(clients)}. ${check.effect}`,
        clients,
        url: featureUrl(check.feature),
        severity: harmful.length === 0 ? 'hint' : undefined,
        fixes: fix && [{ title: fix.title, edits: reported.flatMap((use) => fix.edit(mail, use)) }],
      },
    ];
  });
}

/** Returns whether a use has little impact: it has a fallback, is for other clients only, or is inside a media query. */
function isLowRisk(mail: ParsedEmail, { block, declaration }: DeclarationUse, clients: readonly string[]): boolean {
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
    impact: 'Gmail drops the styles beyond 16 KB.',
    url: GMAIL_CSS_URL,
    find(mail) {
      if (!mail.isFor('gmail')) return [];
      let length = 0;
      const overLimit = mail.sheets.filter(
        (sheet) => (length += getSentStyleLength(mail, sheet)) > MAX_GMAIL_STYLE_CHARS,
      );
      const message = `The styles are ${Math.ceil(length / 1024)} KB. Gmail drops the <style> element that exceeds 16 KB, and all after it.`;
      return [{ ranges: overLimit.map(({ fullRange }) => fullRange), message, clients: ['Gmail'] }];
    },
  },
  {
    id: '25',
    name: 'nested-at-rule',
    title: 'Nested at-rule',
    severity: 'error',
    impact: 'Gmail drops all styles of the block.',
    url: GMAIL_CSS_URL,
    find: findNestedAtRules,
  },
  {
    id: '26',
    name: 'leading-comment',
    title: 'CSS comment before the first rule',
    severity: 'hint',
    impact: 'Some webmail clients ignore the rule.',
    url: 'https://github.com/hteumeuleu/email-bugs/issues/25',
    find(mail) {
      // AcyMailing sends no CSS comments.
      const ranges = (mail.isComposed ? [] : mail.sheets).flatMap(({ css, comments, rules, toRange }) => {
        const [comment] = comments;
        const [rule] = rules;
        if (!comment || !rule || rule.atRule) return [];
        const between = css.slice(0, comment.start) + css.slice(comment.end, rule.start);
        return between.trim() === '' ? [toRange(rule.start, rule.end)] : [];
      });
      const message = 'Some webmail clients ignore the first rule after a leading CSS comment. Move the comment.';
      return [{ ranges, message }];
    },
  },
  {
    id: '28',
    name: 'layout',
    title: 'Unsupported layout',
    severity: 'warning',
    hasFix: true,
    impact: 'Columns collapse, or the email is too wide.',
    url: 'https://www.caniemail.com/',
    find: findLayoutProblems,
  },
];
