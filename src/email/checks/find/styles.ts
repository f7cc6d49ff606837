import { insertEdit } from '../../html/text.ts';
import { formatNumber, localized, t } from '../../../l10n.ts';
import {
  getDeclaration,
  getStyle,
  getUseRange,
  isSentAtRule,
  isSentMedia,
  staysInHead,
  toPixels,
  type DeclarationUse,
} from '../cascade.ts';
import { OUTLOOK_WINDOWS } from '../clients.ts';
import { parseColor } from '../color.ts';
import { cssUrls, type AtRule, type StyleDeclaration } from '../css.ts';
import { inherit, memoize, type BodyElement } from '../document.ts';
import type { ParsedEmail, PlacedStylesheet, Rule, RuleEdit, RuleRange } from '../rule.ts';
import { hasNearbyVml } from './structure.ts';
import { findMissingSupport } from './support.ts';

const GMAIL_CSS_URL = 'https://developers.google.com/workspace/gmail/design/css';

/** Gmail drops styles beyond this length. */
const MAX_GMAIL_STYLE_CHARS = 16 * 1024;

/** Returns how many characters of a stylesheet the service sends in the head. */
function getSentStyleLength({ isComposed, sentBlocks }: ParsedEmail, sheet: PlacedStylesheet) {
  if (!isComposed) return sheet.css.length;
  const sentRules = new Set(sentBlocks.map(({ rule }) => rule));
  const rules = sheet.rules.filter(
    (rule) => sentRules.has(rule) && staysInHead(rule) && (!rule.atRule || isSentMedia(rule.atRule)),
  );
  const whole = sheet.atRules.filter((atRule) => !atRule.parent && atRule.name !== 'media' && isSentAtRule(atRule));
  return [...rules, ...whole].reduce((sum, { start, end }) => sum + end - start, 0);
}

function isFontsOnly({ rules, atRules }: PlacedStylesheet) {
  const outer = new Set(atRules.map(({ parent }) => parent));
  return rules.length === 0 && atRules.every((rule) => rule.name === 'font-face' || outer.has(rule));
}

/** A use of a layout feature that some clients don't support. */
interface LayoutCheck {
  readonly feature: string;
  readonly matches: (declaration: StyleDeclaration) => boolean;
  /** Names the clients without support, and says what recipients see there. */
  readonly createMessage: (clients: string) => string;
  readonly isHarmless?: (mail: ParsedEmail, use: DeclarationUse) => boolean;
  /** More clients that lack support for this form of the feature. */
  readonly otherClients?: readonly string[];
  readonly fixTitle?: string;
  readonly createEdits?: (mail: ParsedEmail, use: DeclarationUse) => readonly RuleEdit[];
}

const getLayoutChecks = localized((): readonly LayoutCheck[] => [
  {
    feature: 'css-display-flex',
    matches: ({ property, value }) => property === 'display' && /^(?:inline-)?flex$/iu.test(value),
    createMessage: (clients) => t`display: flex is not supported by ${clients}. The items stack vertically.`,
    isHarmless: isOnTable,
  },
  {
    feature: 'css-display-grid',
    matches: ({ property, value }) => property === 'display' && /^(?:inline-)?grid$/iu.test(value),
    createMessage: (clients) => t`display: grid is not supported by ${clients}. The items stack vertically.`,
    isHarmless: isOnTable,
  },
  {
    feature: 'css-position',
    matches: ({ property, value }) => property === 'position' && /^(?:absolute|fixed|sticky)$/iu.test(value),
    createMessage: (clients) => t`This position is not supported by ${clients}. The element stays in the normal flow.`,
  },
  {
    feature: 'css-margin',
    matches: ({ property, value }) => /^margin(?:-|$)/u.test(property) && /(?:^|\s)-[\d.]*[1-9]/u.test(value),
    otherClients: ['Gmail', OUTLOOK_WINDOWS, 'Outlook.com and new Outlook', 'Yahoo'],
    createMessage: (clients) =>
      t`A negative margin is not supported by ${clients}. The element doesn't overlap its neighbor.`,
  },
  {
    feature: 'css-max-width',
    matches: ({ property, value }) => property === 'max-width' && (toPixels(value) ?? 0) > 0,
    otherClients: [OUTLOOK_WINDOWS],
    createMessage: (clients) =>
      t`max-width on this element is not supported by ${clients}. The email is as wide as the window.`,
    isHarmless: (mail, use) => getWideElements(mail, use).length === 0,
    fixTitle: t('Add a table for Outlook'),
    createEdits: (mail, use) => createGhostTableEdits(mail, use),
  },
  {
    feature: 'css-background',
    matches: ({ property, value }) =>
      property === 'background' && parseColor(value) === undefined && /url\(|\s/u.test(value),
    otherClients: [OUTLOOK_WINDOWS],
    createMessage: (clients) => t`This background shorthand is not supported by ${clients}. Add background-color.`,
    isHarmless: hasBackgroundColor,
    fixTitle: t('Add background-color'),
    createEdits: createBackgroundColorEdits,
  },
]);

/** Tables and cells keep their table layout in clients without flexbox or grid. */
function isOnTable(_mail: ParsedEmail, { block: { element } }: DeclarationUse) {
  return element !== undefined && /^(?:table|tbody|tr|td|th)$/u.test(element.name);
}

/** Finds the `<div>` elements with a `max-width` that get no width for Outlook from a style, a ghost table, or a surrounding table. */
const findWideElements = memoize((mail: ParsedEmail) => {
  const { body } = mail.email;
  const opening = mail.conditions.blocks.filter(
    ({ isRevealed, opener, closer }) => !isRevealed && /<t(?:d|able|r)\b/iu.test(body.slice(opener.end, closer.start)),
  );
  const starts = new Set(opening.map(({ start }) => start));
  // Processed from the last one, because many may follow each other.
  const contentStarts = new Map<number, number>();
  for (const { end } of opening.toReversed()) {
    const offset = skipBlanksAndComments(body, end, contentStarts);
    contentStarts.set(end, contentStarts.get(offset) ?? offset);
  }
  const tableStarts = new Set(contentStarts.values());
  /** An Outlook-only table opens right before the element, or at its start. */
  const isInGhostTable = ({ start, openEnd }: BodyElement) =>
    tableStarts.has(start) || starts.has(skipBlanksAndComments(body, openEnd, starts));
  /** The element or an ancestor is a table with a width, or in an Outlook-only table. */
  const isInFixedWidth = inherit((element) => {
    const isFixed =
      /^(?:table|td)$/u.test(element.name) &&
      (/^\d+(?:px)?$/u.test(element.get('width') ?? '') || toPixels(getStyle(element, 'width')) !== undefined);
    return isFixed || isInGhostTable(element) || undefined;
  });
  const elements = mail
    .getElements('div')
    .filter(
      (element) =>
        getDeclaration(element, 'max-width') &&
        !element.isHiddenFromOutlook &&
        !isInFixedWidth(element) &&
        toPixels(getStyle(element, 'width')) === undefined,
    );
  const byDeclaration = Map.groupBy(elements, (element) => getDeclaration(element, 'max-width')?.declaration);
  return { elements: new Set(elements), byDeclaration };
});

/** Returns the elements that lack a width for Outlook because of a `max-width` declaration. */
function getWideElements(mail: ParsedEmail, { block, declaration }: DeclarationUse) {
  const { elements, byDeclaration } = findWideElements(mail);
  const { element, rule } = block;
  if (element) return elements.has(element) ? [element] : [];
  return rule?.atRule ? [] : (byDeclaration.get(declaration) ?? []);
}

/** Returns the offset after whitespace and comments, or the first of the given offsets. */
function skipBlanksAndComments(body: string, from: number, until: { has: (offset: number) => boolean }) {
  const blank = /\s+|<!--[^]*?-->/uy;
  blank.lastIndex = from;
  let at = from;
  while (!until.has(at) && blank.test(body)) at = blank.lastIndex;
  return at;
}

const createGhostTableEdits = (mail: ParsedEmail, use: DeclarationUse) =>
  getWideElements(mail, use).flatMap((element) => {
    const width = Math.round(toPixels(getStyle(element, 'max-width') ?? use.declaration.value) ?? 600);
    const attributes = `role="presentation" align="center" border="0" cellpadding="0" cellspacing="0" width="${width}"`;
    const table = `<!--[if mso]><table ${attributes}><tr><td><![endif]-->`;
    const end = '<!--[if mso]></td></tr></table><![endif]-->';
    // AcyMailing drops a comment at the start of a body without <body>.
    const isCommentLost =
      mail.isComposed &&
      element.start === mail.sentRange.start &&
      !mail.authored.elements.some(({ name }) => name === 'body');
    return isCommentLost
      ? [insertEdit(element.openEnd, table), insertEdit(element.closeStart, end)]
      : [insertEdit(element.start, table), insertEdit(element.end, end)];
  });

function hasBackgroundColor(mail: ParsedEmail, { block, declaration: { value } }: DeclarationUse) {
  const { declarations, element, rule } = block;
  return (
    rule?.atRule !== undefined ||
    (element && (element.isHiddenFromOutlook || hasNearbyVml(mail, element))) ||
    declarations.some(({ property }) => property === 'background-color') ||
    Boolean(element?.get('bgcolor')) ||
    findColor(value) === undefined
  );
}

const findColor = (value: string) =>
  value
    .replace(cssUrls, ' ')
    .match(/#[\da-f]{3,8}\b|rgba?\([^)]*\)|[a-z]+/giu)
    ?.find((piece) => parseColor(piece) !== undefined);

function createBackgroundColorEdits(_mail: ParsedEmail, { block, declaration }: DeclarationUse): readonly RuleEdit[] {
  const { value, end } = declaration;
  const color = findColor(value);
  return color === undefined ? [] : [{ ...block.toRange(end, end), text: `; background-color: ${color}` }];
}

/** Returns whether a use has little impact: it has a fallback, is for other clients only, or is inside a media query. */
function isLowRisk({ block, declaration }: DeclarationUse, clients: readonly string[]) {
  const hasFallback = block.declarations.some(
    ({ property, start }) => property === declaration.property && start < declaration.start,
  );
  const isForOthers =
    block.element !== undefined &&
    clients.every((name) => name === OUTLOOK_WINDOWS) &&
    block.element.isHiddenFromOutlook;
  return hasFallback || isForOthers || block.rule?.atRule !== undefined;
}

export const getStyleRules = (): readonly Rule[] => [
  {
    id: '24',
    name: 'style-size',
    title: t('Styles over 16 KB'),
    severity: 'warning',
    impact: t('Gmail drops the styles beyond 16 KB.'),
    url: GMAIL_CSS_URL,
    find(mail) {
      if (!mail.isFor('gmail')) return [];
      let length = 0;
      const overLimit = mail.sheets.filter(
        (sheet) => (length += getSentStyleLength(mail, sheet)) > MAX_GMAIL_STYLE_CHARS,
      );
      const message = t`The styles are ${formatNumber(Math.ceil(length / 1024))} KB. Gmail drops the <style> element that exceeds 16 KB, and all after it.`;
      return { ranges: overLimit.map(({ fullRange }) => fullRange), message, clients: ['Gmail'] };
    },
  },
  {
    id: '25',
    name: 'nested-at-rule',
    title: t('Nested at-rule'),
    severity: 'error',
    impact: t('Gmail drops all styles of the block.'),
    url: GMAIL_CSS_URL,
    find(mail) {
      const isLost = (rule: AtRule): boolean => mail.isComposed && !isSentAtRule(rule);
      const findRanges = (
        sheets: readonly PlacedStylesheet[],
        isReported: (rule: AtRule) => boolean,
      ): readonly RuleRange[] =>
        sheets.flatMap(({ atRules, toRange }) =>
          atRules.filter((rule) => rule.parent && isReported(rule)).map(({ start, end }) => toRange(start, end)),
        );
      const gmailSheets = mail.isFor('gmail') ? mail.sheets : [];
      const fontSheets = gmailSheets.filter(isFontsOnly);
      const otherSheets = gmailSheets.filter((sheet) => !isFontsOnly(sheet));
      return [
        {
          ranges: findRanges(mail.sheets, isLost),
          message: t("AcyMailing doesn't send at-rules inside @media."),
          severity: 'warning',
        },
        {
          ranges: findRanges(otherSheets, (rule) => !isLost(rule)),
          message: t('Nested at-rule: Gmail drops the whole <style> element.'),
          clients: ['Gmail'],
        },
        {
          ranges: findRanges(fontSheets, (rule) => !isLost(rule)),
          message: t(
            "Nested at-rule: Gmail drops this <style> element. It contains only fonts, which Gmail doesn't load anyway.",
          ),
          clients: ['Gmail'],
          severity: 'hint',
        },
      ];
    },
  },
  {
    id: '26',
    name: 'leading-comment',
    title: t('CSS comment before the first rule'),
    severity: 'hint',
    impact: t('Some webmail clients ignore the rule.'),
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
      const message = t('Some webmail clients ignore the first rule after a leading CSS comment. Move the comment.');
      return { ranges, message };
    },
  },
  {
    id: '28',
    name: 'layout',
    title: t('Unsupported layout'),
    severity: 'warning',
    fix: 'choice',
    impact: t('Columns collapse, or the email is too wide.'),
    url: 'https://www.caniemail.com/',
    find(mail) {
      // Only Outlook draws VML elements such as `<v:rect>`, and positions them itself.
      const layoutUses = mail.findDeclarations(
        ({ property }, { element }) =>
          /^(?:display|position|margin|max-width|background)/u.test(property) && !element?.name.includes(':'),
      );
      return getLayoutChecks().flatMap(
        ({ feature, matches, createMessage, isHarmless, otherClients, fixTitle = '', createEdits }) => {
          const missing = findMissingSupport(mail, feature, otherClients);
          if (!missing) return [];
          const uses = layoutUses.filter((use) => matches(use.declaration) && !isHarmless?.(mail, use));
          const harmful = uses.filter((use) => !isLowRisk(use, missing.clients));
          const reported = harmful.length > 0 ? harmful : uses;
          return [
            {
              ...missing,
              ranges: reported.map(getUseRange),
              message: createMessage(missing.names),
              severity: harmful.length === 0 ? 'hint' : undefined,
              fixes: createEdits && [{ title: fixTitle, edits: reported.flatMap((use) => createEdits(mail, use)) }],
            },
          ];
        },
      );
    },
  },
];
