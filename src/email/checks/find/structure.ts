import { cleanHtml } from '../../sent/replacements.ts';
import { createDesktopCascade } from '../cascade.ts';
import { isNeverShown } from '../conditions.ts';
import type { ConditionalBlock, ConditionProblem } from '../conditions.ts';
import { cssUrls } from '../css.ts';
import { containsTag } from '../document.ts';
import type { BodyElement } from '../document.ts';
import { addAttributeEdit } from '../partEdits.ts';
import { bodyRange, startTagRange } from '../parsedEmail.ts';
import type { ParsedEmail } from '../parsedEmail.ts';
import type { RuleFinding, PartRange } from '../model.ts';
import { findFirstIndex } from '../../html/ranges.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { featureUrl, findUnsupportingClients } from '../support.ts';

const CONDITIONAL_COMMENTS_URL =
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

function findUnbalancedConditions({ conditions, sentRange }: ParsedEmail): readonly RuleFinding[] {
  // An unclosed comment hides the content after it, wherever it starts.
  const problems = conditions.problems.filter(({ kind, start }) => kind === 'unclosed' || isInRange(sentRange, start));
  return problems.map(({ kind, start, end, related, edits }) => {
    const [message, title] = conditionMessages[kind];
    const ranges = [bodyRange(start, end), ...(related ? [bodyRange(related.start, related.end)] : [])];
    const fixes = [
      { title, edits: edits.map(({ text, ...range }) => ({ ...bodyRange(range.start, range.end), text })) },
    ];
    return { ranges, message, ...(edits.length > 0 && { fixes }) };
  });
}

const isInRange = ({ start, end }: ParsedEmail['sentRange'], at: number): boolean => start <= at && at < end;

function findNeverShown({ conditions, sentRange }: ParsedEmail): readonly RuleFinding[] {
  const blocks = conditions.blocks.filter(
    (block) => isNeverShown(block) && block.closer.end > block.closer.start && isInRange(sentRange, block.start),
  );
  const edits = blocks.flatMap(({ opener, closer }) => [
    { ...bodyRange(opener.end, opener.end), text: '<!-->' },
    { ...bodyRange(closer.start, closer.end), text: '<!--<![endif]-->' },
  ]);
  const message = 'No client shows this: Outlook skips it, and for all others it is a comment.';
  return groupFindings(
    blocks.map(({ start, end }) => bodyRange(start, end)),
    message,
    { fixes: [{ title: 'Show it in all clients but Outlook', edits }] },
  );
}

/** Returns the range of an element's background image, from an attribute or a style. */
function findBackgroundImage(mail: ParsedEmail, element: BodyElement): PartRange | undefined {
  const attribute = element.get('background') ? element.attribute('background') : undefined;
  if (attribute) return bodyRange(attribute.start, attribute.end);
  const { getDeclaration } = mail.once(createDesktopCascade);
  const decided = [getDeclaration(element, 'background-image'), getDeclaration(element, 'background')].find(
    (found) => found && /url\(/iu.test(found.value),
  );
  return decided?.range;
}

function hasFallbackColor(mail: ParsedEmail, element: BodyElement): boolean {
  const { getDeclaration } = mail.once(createDesktopCascade);
  const shorthand = getDeclaration(element, 'background')?.value.replace(cssUrls, '') ?? '';
  return (
    Boolean(element.get('bgcolor')) ||
    getDeclaration(element, 'background-color') !== undefined ||
    /#[\da-f]{3}|rgb|\b[a-z]{3,}\b/iu.test(removeBackgroundKeywords(shorthand))
  );
}

const removeBackgroundKeywords = (value: string): string =>
  value.replace(
    /\b(?:no-repeat|repeat(?:-[xy])?|center|top|bottom|left|right|cover|contain|fixed|scroll|local|none|inherit|important)\b/giu,
    '',
  );

function findBackgroundsWithoutFallback(mail: ParsedEmail): readonly RuleFinding[] {
  const ranges = mail.document.elements.flatMap((element) => {
    if (nonVisualElements.has(element.name) || mail.isHiddenFromOutlook(element.start)) return [];
    const range = findBackgroundImage(mail, element);
    return !range || hasFallbackColor(mail, element) || hasNearbyVml(mail, element) ? [] : [range];
  });
  const message =
    'Outlook for Windows drops the background image, and there is no color in its place: text on it may not be readable.';
  return groupFindings(removeDuplicateRanges(ranges), message, { clients: ['Outlook for Windows'] });
}

const nonVisualElements = new Set(['html', 'head', 'meta', 'style', 'script', 'title', 'link']);

/** Returns whether a VML shape for Outlook is inside the element or shortly before it. */
export function hasNearbyVml(mail: ParsedEmail, { start, closeStart }: BodyElement): boolean {
  const all = mail.once(getVmlBlocks);
  const vmlBlock = all[findFirstIndex(all, ({ end }) => end > start - 2000)];
  return vmlBlock !== undefined && vmlBlock.start < closeStart;
}

/** Returns the conditional comments with a VML background or shape. */
export const getVmlBlocks = ({ conditions }: ParsedEmail): readonly ConditionalBlock[] =>
  conditions.blocks.filter(({ drawsVml }) => drawsVml);

/** Several elements may share one rule, which is reported once. */
function removeDuplicateRanges(ranges: readonly PartRange[]): readonly PartRange[] {
  const keys = new Set<string>();
  return ranges.filter(({ part, start }) => !keys.has(`${part} ${start}`) && keys.add(`${part} ${start}`));
}

function findLayoutTables(mail: ParsedEmail): readonly RuleFinding[] {
  const tables = mail.getElements('table').filter((table) => !table.has('role') && !isDataTable(table));
  const edits = tables.map((table) => addAttributeEdit(mail, table, 'role="presentation"'));
  const message = 'Screen readers announce each row and cell of this table, as if it held data.';
  return groupFindings(tables.map(startTagRange), message, { fixes: [{ title: 'Add role="presentation"', edits }] });
}

/** Returns whether a table has features of a data table. */
function isDataTable(table: BodyElement): boolean {
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

function findActiveContent(mail: ParsedEmail): readonly RuleFinding[] {
  const elements = Object.entries(activeElements).flatMap(([name, [feature, severity, message]]) => {
    const clients = feature ? findUnsupportingClients(feature, mail.clients) : [];
    if (feature && clients.length === 0) return [];
    const removed = mail.isComposed
      ? mail.getElements(name).filter((element) => isRemovedByService(mail, element))
      : [];
    const sent = mail.getElements(name).filter((element) => !removed.includes(element));
    const isDeleted = name === 'script' || name === 'iframe';
    const found = isDeleted
      ? groupFindings(removed.map(startTagRange), `AcyMailing removes this <${name}>.`, { severity: 'info' })
      : [];
    const rest = { severity, ...(feature && { clients, url: featureUrl(feature) }) };
    return [...found, ...groupFindings(sent.map(startTagRange), message, rest)];
  });
  return [...elements, ...checkLinkedStylesheets(mail), ...checkImports(mail)];
}

/** Returns whether AcyMailing removes or replaces an element. */
function isRemovedByService({ email: { body } }: ParsedEmail, { name, start, end, children }: BodyElement): boolean {
  if (name === 'script') return true;
  return children.length === 0 && !cleanHtml(body.slice(start, end), undefined).toLowerCase().includes(`<${name}`);
}

/** Returns whether a URL is a font's. A missing font is harmless: the next font in the list is used. */
export const isFontUrl = (address: string): boolean =>
  /fonts?[./-]|typekit|typography|\.(?:woff2?|ttf|otf)\b/iu.test(address);

export const findLinkedStylesheets = ({ authored }: ParsedEmail): readonly BodyElement[] =>
  authored.elements
    .filter(({ name }) => name === 'link')
    .filter((link) => /\bstylesheet\b/iu.test(link.get('rel') ?? '') && !containsTag(link.get('href') ?? ''));

function checkLinkedStylesheets(mail: ParsedEmail): readonly RuleFinding[] {
  const clients = findUnsupportingClients('html-link', mail.clients);
  if (clients.length === 0) return [];
  const isForFonts = (link: BodyElement): boolean => isFontUrl(link.get('href') ?? '');
  const links = findLinkedStylesheets(mail).filter(mail.isSent);
  const url = featureUrl('html-link');
  return [
    ...groupFindings(
      links.filter((link) => !isForFonts(link)).map(startTagRange),
      'Linked stylesheets are not loaded: write them in a <style>.',
      { clients, url },
    ),
    ...groupFindings(
      links.filter(isForFonts).map(startTagRange),
      'Linked fonts are not loaded: the next font of the list is used.',
      {
        clients,
        url,
        severity: 'hint',
      },
    ),
  ];
}

function checkImports(mail: ParsedEmail): readonly RuleFinding[] {
  const clients = findUnsupportingClients('css-at-import', mail.clients);
  // Rule 36 reports imports that AcyMailing never sends.
  if (clients.length === 0 || mail.isComposed) return [];
  const all = mail.sheets.flatMap(({ atRules, toRange }) =>
    atRules
      .filter(({ name }) => name === 'import')
      .map((rule) => ({ range: toRange(rule.start, rule.end), isForFonts: isFontUrl(rule.prelude) })),
  );
  const url = featureUrl('css-at-import');
  return [
    ...groupFindings(
      all.filter(({ isForFonts }) => !isForFonts).map(({ range }) => range),
      'Imported styles are not loaded.',
      { clients, url },
    ),
    ...groupFindings(
      all.filter(({ isForFonts }) => isForFonts).map(({ range }) => range),
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
    impact: 'Half of the email is gone in Outlook or everywhere else.',
    url: CONDITIONAL_COMMENTS_URL,
    find: findUnbalancedConditions,
  },
  {
    id: '2',
    name: 'shown-nowhere',
    title: 'Content that no client shows',
    severity: 'error',
    hasFix: true,
    changesText: true,
    impact: 'Nobody ever sees it.',
    url: CONDITIONAL_COMMENTS_URL,
    find: findNeverShown,
  },
  {
    id: '17',
    name: 'background-image',
    title: 'Background image without a color behind it',
    severity: 'warning',
    impact: 'Light text on white in Outlook.',
    url: featureUrl('css-background-image'),
    find: findBackgroundsWithoutFallback,
  },
  {
    id: '20',
    name: 'table-role',
    title: 'Layout table without role="presentation"',
    severity: 'hint',
    hasFix: true,
    isMechanical: true,
    impact: 'Screen readers read out rows and columns.',
    url: 'https://www.w3.org/TR/wai-aria-1.2/#presentation',
    find: findLayoutTables,
  },
  {
    id: '27',
    name: 'active-content',
    title: 'Scripts, forms, frames, videos, linked styles',
    severity: 'warning',
    impact: 'It is dropped, or the email is taken for spam.',
    url: 'https://www.caniemail.com/',
    find: findActiveContent,
  },
];
