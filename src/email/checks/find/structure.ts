import { localized, t } from '../../../l10n.ts';
import { findFirstIndex, insertEdit, type Range } from '../../html/text.ts';
import { cleanHtml } from '../../sent/replacements.ts';
import { getDeclaration, getStyle, getUseRange } from '../cascade.ts';
import { OUTLOOK_WINDOWS } from '../clients.ts';
import { isNeverShown, type ConditionProblem } from '../conditions.ts';
import { cssUrls } from '../css.ts';
import { containsTag, type BodyElement, memoize } from '../document.ts';
import type { Severity } from '../model.ts';
import {
  type ParsedEmail,
  removeDuplicates,
  type Rule,
  type RuleFinding,
  type RuleRange,
  setAttributeEdit,
} from '../rule.ts';
import { featureUrl, findMissingSupport } from './support.ts';

const CONDITIONAL_COMMENTS_URL =
  'https://learn.microsoft.com/en-us/previous-versions/windows/internet-explorer/ie-developer/compatibility/ms537512(v=vs.85)';

type ConditionMessages = Readonly<Record<ConditionProblem['kind'], readonly [message: string, fix: string]>>;

const getConditionMessages = localized((): ConditionMessages => ({
  unclosed: [
    t('Unclosed conditional comment. Some clients drop the content after it.'),
    t('Close the conditional comment'),
  ],
  stray: [t('Stray end of a conditional comment. Some clients show it as text.'), t('Remove the marker')],
  nested: [
    t('Nested comment. It ends the conditional comment around it, so the content after it shows in the wrong clients.'),
    t('Remove the inner comment'),
  ],
  slash: [t('Extra slash: Outlook ignores this end of the conditional comment.'), t`Replace with ${'<![endif]-->'}`],
}));

const isInRange = ({ start, end }: Range, at: number) => start <= at && at < end;

/** Returns the range of an element's background image, from an attribute or a style. */
function findBackgroundImage(element: BodyElement) {
  if (element.get('background')) return element.attribute('background');
  for (const property of ['background-image', 'background']) {
    const use = getDeclaration(element, property);
    if (use && /url\(/iu.test(use.declaration.value)) return getUseRange(use);
  }
  return undefined;
}

const backgroundKeywords =
  /\b(?:no-repeat|repeat(?:-[xy])?|center|top|bottom|left|right|cover|contain|fixed|scroll|local|none|inherit|important)\b/giu;

function hasFallbackColor(element: BodyElement) {
  const shorthand = getStyle(element, 'background')?.replace(cssUrls, '') ?? '';
  return (
    Boolean(element.get('bgcolor')) ||
    getStyle(element, 'background-color') !== undefined ||
    /#[\da-f]{3}|rgb|\b[a-z]{3,}\b/iu.test(shorthand.replace(backgroundKeywords, ''))
  );
}

const nonVisualElements = new Set('html head meta style script title link'.split(' '));

/** Returns whether a VML shape for Outlook is inside the element or shortly before it. */
export function hasNearbyVml(mail: ParsedEmail, { start, closeStart }: BodyElement): boolean {
  const all = getVmlBlocks(mail);
  const vmlBlock = all[findFirstIndex(all, ({ end }) => end > start - 2000)];
  return vmlBlock !== undefined && vmlBlock.start < closeStart;
}

/** Returns the conditional comments with a VML background or shape. */
export const getVmlBlocks = memoize(({ conditions }: ParsedEmail) =>
  conditions.blocks.filter(({ drawsVml }) => drawsVml),
);

/** Returns whether a table has features of a data table. */
function isDataTable(table: BodyElement) {
  if (table.has('summary')) return true;
  const rows = table.children.flatMap((child) => (child.name === 'tr' ? [child] : [child, ...child.children]));
  return rows.some(({ name, children }) => name === 'caption' || children.some((cell) => cell.name === 'th'));
}

type ActiveElement = readonly [name: string, severity: Severity, message: string, feature?: string];

const getActiveElements = localized((): readonly ActiveElement[] => [
  ['script', 'error', t("Mail clients don't run scripts, and filters block the email as an attack.")],
  ['iframe', 'error', t("Mail clients don't show frames. Link to the page.")],
  ['object', 'error', t("Most mail clients don't show objects. Link to the content."), 'html-object'],
  ['embed', 'error', t("Mail clients don't show embedded content. Link to it.")],
  ['form', 'warning', t("Some clients don't let recipients fill in or submit forms. Link to a web page."), 'html-form'],
  [
    'video',
    'warning',
    t("Most clients show the element's content instead of the video. Use a linked image as its content."),
    'html-video',
  ],
  [
    'audio',
    'warning',
    t("Most clients show the element's content instead of the audio player. Use a link as its content."),
    'html-audio',
  ],
]);

const findActiveContent = (mail: ParsedEmail): readonly RuleFinding[] =>
  getActiveElements().flatMap(([name, severity, message, feature]) => {
    const missing = feature === undefined ? {} : findMissingSupport(mail, feature);
    if (!missing) return [];
    // AcyMailing stores an email without its scripts, wherever they are.
    const isScript = name === 'script' && mail.isComposed;
    const elements = isScript ? mail.authored.elements.filter((each) => each.name === name) : mail.getElements(name);
    const removed = new Set(elements.filter((element) => mail.isComposed && isRemovedByService(mail, element)));
    const isReported = name === 'script' || name === 'iframe';
    return [
      {
        ranges: isReported ? [...removed] : [],
        message: t`AcyMailing removes this <${name}>.`,
        severity: mail.options.isForSending ? 'warning' : 'info',
      },
      { ranges: elements.filter((element) => !removed.has(element)), message, severity, ...missing },
    ];
  });

/** Returns whether AcyMailing removes or replaces an element. */
function isRemovedByService({ email: { body } }: ParsedEmail, { name, start, end, children }: BodyElement) {
  if (name === 'script') return true;
  return children.length === 0 && !cleanHtml(body.slice(start, end), undefined).toLowerCase().includes(`<${name}`);
}

export const isLinkedStylesheet = (link: BodyElement): boolean =>
  link.name === 'link' && /\bstylesheet\b/iu.test(link.get('rel') ?? '') && !containsTag(link.get('href') ?? '');

/** References to other stylesheets. A missing font is harmless: the next font in the list is used. */
interface StyleReferences {
  readonly fonts: readonly RuleRange[];
  readonly stylesheets: readonly RuleRange[];
}

function groupReferences(references: readonly (readonly [range: RuleRange, url: string])[]) {
  const select = (isFont: boolean) =>
    references
      .filter(([, url]) => /fonts?[./-]|typekit|typography|\.(?:woff2?|ttf|otf)\b/iu.test(url) === isFont)
      .map(([range]) => range);
  return { fonts: select(true), stylesheets: select(false) };
}

/** Returns the stylesheets that `@import` rules refer to. AcyMailing doesn't send them. */
export const findImports = ({ sheets }: ParsedEmail): StyleReferences =>
  groupReferences(
    sheets.flatMap(({ atRules, toRange }) =>
      atRules
        .filter(({ name }) => name === 'import')
        .map(({ start, end, prelude }) => [toRange(start, end), prelude] as const),
    ),
  );

/** Returns the stylesheets that sent or unsent links refer to. */
export const findLinkedStylesheets = ({ authored }: ParsedEmail, isSent: boolean): StyleReferences =>
  groupReferences(
    authored.elements
      .filter((link) => link.isSent === isSent && isLinkedStylesheet(link))
      .map((link) => [link, link.get('href') ?? '']),
  );

/** Returns findings for stylesheets and fonts that the clients without a feature don't load. */
function createUnloadedFindings(
  mail: ParsedEmail,
  feature: string,
  { fonts, stylesheets }: StyleReferences,
  createMessages: (clients: string) => readonly [message: string, fontMessage: string],
): readonly RuleFinding[] {
  const missing = findMissingSupport(mail, feature);
  if (!missing) return [];
  const [message, fontMessage] = createMessages(missing.names);
  return [
    { ranges: stylesheets, message, ...missing },
    { ranges: fonts, message: fontMessage, severity: 'hint', ...missing },
  ];
}

export const getStructureRules = (): readonly Rule[] => [
  {
    id: '1',
    name: 'conditional-comment',
    title: t('Malformed conditional comment'),
    severity: 'error',
    fix: 'mechanical',
    impact: t('Parts of the email are missing in Outlook or in all other clients.'),
    url: CONDITIONAL_COMMENTS_URL,
    // An unclosed comment hides the content after it, wherever it starts.
    find: ({ conditions, sentRange }) =>
      conditions.problems
        .filter(({ kind, start }) => kind === 'unclosed' || isInRange(sentRange, start))
        .map(({ kind, related, edits, ...range }) => {
          const [message, title] = getConditionMessages()[kind];
          return { ranges: related ? [range, related] : [range], message, fixes: [{ title, edits }] };
        }),
  },
  {
    id: '2',
    name: 'shown-nowhere',
    title: t('Content hidden from all clients'),
    severity: 'error',
    fix: 'choice',
    impact: t('No recipient sees the content.'),
    url: CONDITIONAL_COMMENTS_URL,
    find({ conditions, sentRange }) {
      const blocks = conditions.blocks.filter(
        (block) => isNeverShown(block) && block.closer.end > block.closer.start && isInRange(sentRange, block.start),
      );
      const edits = blocks.flatMap(({ opener, closer }) => [
        insertEdit(opener.end, '<!-->'),
        { ...closer, text: '<!--<![endif]-->' },
      ]);
      const message = t('No client shows this content. Outlook skips it, and all other clients treat it as a comment.');
      return { ranges: blocks, message, fixes: [{ title: t('Show in all clients except Outlook'), edits }] };
    },
  },
  {
    id: '17',
    name: 'background-image',
    title: t('Background image without a fallback color'),
    severity: 'warning',
    impact: t('Light text is unreadable on a white background in Outlook for Windows.'),
    url: featureUrl('css-background-image'),
    find(mail) {
      const ranges = mail.elements.flatMap((element) => {
        if (nonVisualElements.has(element.name) || element.isHiddenFromOutlook) return [];
        const range = findBackgroundImage(element);
        return !range || hasFallbackColor(element) || hasNearbyVml(mail, element) ? [] : [range];
      });
      const message = t(
        'Outlook for Windows drops this background image, and there is no fallback color. Text on it may be unreadable.',
      );
      return { ranges: removeDuplicates(ranges), message, clients: [OUTLOOK_WINDOWS] };
    },
  },
  {
    id: '20',
    name: 'table-role',
    title: t('Layout table without role="presentation"'),
    severity: 'hint',
    fix: 'mechanical',
    impact: t('Screen readers announce every row and column.'),
    url: 'https://www.w3.org/TR/wai-aria-1.2/#presentation',
    find(mail) {
      const ranges = mail.getElements('table').filter((table) => !table.has('role') && !isDataTable(table));
      const edits = ranges.map((table) => setAttributeEdit(table, 'role', 'presentation'));
      const message = t('Screen readers announce the rows and cells of this layout table as if it contained data.');
      return { ranges, message, fixes: [{ title: t('Add role="presentation"'), edits }] };
    },
  },
  {
    id: '27',
    name: 'active-content',
    title: t('Script, form, frame, media or linked stylesheet'),
    severity: 'warning',
    impact: t('Clients drop the content, or filters block the email as spam.'),
    url: 'https://www.caniemail.com/',
    find: (mail) => [
      ...findActiveContent(mail),
      ...createUnloadedFindings(mail, 'html-link', findLinkedStylesheets(mail, true), (clients) => [
        t`Linked stylesheets are not loaded by ${clients}. Use a <style> element.`,
        t`Linked fonts are not loaded by ${clients}. The next font in the list is used.`,
      ]),
      // Rule 36 reports imports that AcyMailing never sends.
      ...(mail.isComposed
        ? []
        : createUnloadedFindings(mail, 'css-at-import', findImports(mail), (clients) => [
            t`Imported stylesheets are not loaded by ${clients}. Use a <style> element.`,
            t`Imported fonts are not loaded by ${clients}. The next font in the list is used.`,
          ])),
    ],
  },
];
