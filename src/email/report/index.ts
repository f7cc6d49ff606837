import { t } from '../../l10n.ts';
import { findImageAddresses } from '../checks/images.ts';
import { runChecks, type CheckOptions, type Email } from '../checks/index.ts';
import { escapeHtml, formatKilobytes } from '../compose/compose.ts';
import { limitPictures, limitStylePictures, pictureAttributeNames } from '../checks/pictureLimits.ts';
import { getOpenableLink, isBlockedElement, isSafeAttribute } from '../compose/safety.ts';
import { findLandmarks } from '../html/landmarks.ts';
import { getDisplayLength, getDisplayRefusal } from '../html/limits.ts';
import type { Range } from '../html/text.ts';
import { resolveSchemeQueries } from '../lenses/dark.ts';
import { applyEdits, createAttributeEdits, listPlacedElements, type PlacedElement } from '../lenses/edits.ts';
import { applyLens } from '../lenses/index.ts';
import { composeForDisplay, type Sent, type SentOptions } from '../sent/index.ts';
import { describeMissing } from '../sent/visualEditor.ts';
import { CHANGE_ATTRIBUTE, CHANGE_STYLE, describeChanges, findChangedBlocks, groupProblems } from './changes.ts';
import { createReportPage, headTags, toHtml, type ReportSection } from './page.ts';

/** An email to review. */
export interface ReviewedEmail {
  readonly name: string;
  readonly email: Email;
  /** The version to compare with, if there is one. */
  readonly before?: Email | undefined;
  /** The linked parts that are all that changed in the body. */
  readonly updatedParts?: readonly string[];
  readonly sending: SentOptions;
  readonly checks: CheckOptions;
  /** `data:` addresses of the workspace's pictures, by their addresses in the sent email. */
  readonly pictures: ReadonlyMap<string, string>;
  /** Paths of the pictures that were left out. */
  readonly omittedPictures: ReadonlySet<string>;
}

/** Returns a list under a heading, or nothing if there are no items. */
const createList = (heading: string, items: readonly string[]) =>
  items.length === 0 ? '' : `<h3>${toHtml(heading)}</h3><ul><li>${items.join('</li><li>')}</li></ul>`;

/**
 * Returns emails as they are sent, beside the versions before, as an HTML file that loads nothing and runs no script. Never throws.
 * @param base name of the version to compare with: "HEAD"
 */
export function createReport(emails: readonly ReviewedEmail[], base: string): string {
  return createReportPage(
    emails.map((email, index) => createReportSection(email, index, base)),
    base,
  );
}

/** Returns an email's section, folded if nothing changed. @param index of the email in the report */
export function createReportSection(
  { email, before, sending, checks, ...reviewed }: ReviewedEmail,
  index: number,
  base: string,
): ReportSection {
  const id = `email-${index + 1}`;
  const name = toHtml(reviewed.name);
  const [sent, old] = [composeForDisplay(email, sending), before && composeForDisplay(before, sending)];
  const changes = old && findChangedBlocks(old.html, sent.html);
  const { findings } = runChecks(email, checks);
  const problems = groupProblems(findings);
  const size = describeMissing(sent.missing) ?? formatKilobytes(sent.bytes);
  const summary = [
    describeChanges(old?.html, sent.html, changes),
    ...(reviewed.updatedParts ?? []).map((part) => t`changed by part ${part}`),
    size,
    ...problems.map(({ count }) => count),
  ].join(' · ');
  const rows = [
    [t('Subject'), email.subject, before?.subject],
    [t('Preheader'), email.preheader, before?.preheader],
    [t('Size'), size, old && formatKilobytes(old.bytes)],
  ].map(([label = '', now = '', was = '']) => {
    const value = before && was !== now ? `<del>${toHtml(was)}</del> <ins>${toHtml(now)}</ins>` : toHtml(now);
    return value && `<dt>${toHtml(label)}</dt><dd>${value}</dd>`;
  });
  const isUnchanged =
    old?.html === sent.html && email.subject === before?.subject && email.preheader === before?.preheader;
  const { pictures, omittedPictures } = reviewed;
  const addresses = findImageAddresses(sent.html, 'html').map(({ value }) => value.trim());
  const remote = new Set(addresses.filter((address) => /^(?:https?:)?\/\//i.test(address) && !pictures.has(address)));
  const links = new Set(
    listPlacedElements(sent.html).flatMap(
      ({ name, attribute }) => (/^(?:a|area)$/.test(name) && attribute('href')) || [],
    ),
  );
  const frames = [
    old && createFigure(t`Before (${base})`, old, pictures, changes?.before),
    createFigure(old ? t('After') : t('Desktop'), sent, pictures, changes?.after),
    createFigure(t('Phone'), sent, pictures, [], 'phone'),
    createFigure(t('Dark mode'), sent, pictures, [], 'dark'),
  ];
  return {
    entry: `<p><a href="#${id}">${name}</a> · ${toHtml(summary)}</p>`,
    html: `<section id="${id}"><h2>${name}</h2><details${isUnchanged ? '' : ' open'}><summary>${toHtml(summary)}</summary><dl>${rows.join('')}</dl>
<div class="frames">${frames.join('\n')}</div>
${problems
  .map(({ count, found }) =>
    createList(
      count,
      found.map(({ message }) => toHtml(message)),
    ),
  )
  .join('')}
${createList(t('Links'), Array.from(links, toLink))}
${createList(t('Remote images'), Array.from(remote, toLink))}
${createList(t('Images left out because of their size'), Array.from(omittedPictures, toHtml))}</details></section>`,
  };
}

/** Only web and email addresses can be opened. */
function toLink(address: string) {
  const href = getOpenableLink(address);
  const text = toHtml(address);
  return href ? `<a href="${escapeHtml(href)}" target="_blank" rel="noopener noreferrer">${text}</a>` : text;
}

/** Returns an email in a frame without scripts. */
function createFigure(
  caption: string,
  { html, text: textPart }: Sent,
  pictures: ReviewedEmail['pictures'],
  changed: readonly Range[] = [],
  device: 'desktop' | 'phone' | 'dark' = 'desktop',
) {
  const isShown = getDisplayLength(html) === html.length && getDisplayRefusal(html) === undefined;
  const safe = isShown ? makeSafe(html, changed) : toHtml(t('This email is too large to show.'));
  const isDark = device === 'dark';
  // Mail clients convert an email without styles of its own for dark mode.
  const converted = isDark && !/prefers-color-scheme/i.test(safe) ? applyLens('outlookDark', safe).text : safe;
  const shown = resolveSchemeQueries(converted, isDark ? 'dark' : 'light');
  const start = findLandmarks(shown).doctypeEnd ?? 0;
  const { text } = applyEdits(shown, [
    { start, end: start, text: `${headTags}<style>${CHANGE_STYLE}</style>` },
    ...findImageAddresses(shown, 'html').map((image) => ({
      ...image,
      text: pictures.get(image.value.trim()) ?? image.text,
    })),
  ]);
  // Without a script, a frame can't adapt to its content.
  const blocks = html.match(/<(?:t[dh]|p|h\d|li|img)\b/gi) ?? [];
  const height = 500 + 10 * blocks.length + 0.6 * (textPart.length || html.length / 20);
  const style = `height:${Math.round(device === 'phone' ? 1.3 * height : height)}px`;
  return `<figure class="${device}"><figcaption>${toHtml(caption)}</figcaption><iframe sandbox title="${toHtml(caption)}" style="${style}" srcdoc="${escapeHtml(text)}"></iframe></figure>`;
}

/** Marks the changed elements, and removes what could act without a script. */
function makeSafe(html: string, changed: readonly Range[]) {
  const starts = new Set(changed.map(({ start }) => start));
  const edits = listPlacedElements(html).flatMap((element) => {
    const { name, range, attribute, attributes = {} } = element;
    // Without a comment, the text before and after the element could become a tag.
    if (isBlockedElement(name, attribute)) return [{ ...range, text: '<!---->' }];
    const unsafe = Object.entries(attributes).filter(([key]) => !isSafeAttribute(key, attribute(key) ?? ''));
    const nameEnd = range.start + 1 + name.length;
    return [
      ...(starts.has(range.start) ? [{ start: nameEnd, end: nameEnd, text: ` ${CHANGE_ATTRIBUTE}` }] : []),
      ...unsafe.map(([, place]) => ({ ...place, text: '' })),
      ...limitElementPictures(element),
    ];
  });
  return applyEdits(html, edits).text;
}

function limitElementPictures(element: PlacedElement) {
  const css = element.name === 'style' ? element.children.map(({ value = '' }) => value).join('') : '';
  const limitedCss = limitStylePictures(css);
  return [
    ...pictureAttributeNames.flatMap((name) => {
      const value = element.attribute(name) ?? '';
      const limited = limitPictures(name, value);
      return limited === value ? [] : createAttributeEdits(element, name, limited);
    }),
    ...(limitedCss === css ? [] : [{ ...element.inner, text: limitedCss.replaceAll('<', '') }]),
  ];
}
