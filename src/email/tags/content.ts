import { t } from '../../l10n.ts';
import { escapeHtml } from '../compose/compose.ts';
import data from './data/content.json' with { type: 'json' };
import type { SitePost, SitePosts, TagFamily, TagLanguage } from './model.ts';
import { findTags, type FoundValue } from './parse.ts';
import { toInteger } from './php.ts';

const layouts = new Map(Object.entries(data.layouts));
const MAX_COLUMNS = 4;
const SAMPLE_LINK = 'https://www.example.com/';

/** Fills the names in braces of a template. */
const fill = (template: string, values: Readonly<Record<string, string | number>>) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));

/** Finds the content tags in a text. */
export const findContentTags = (text: string, { families }: TagLanguage): FoundValue[] =>
  findTags(
    text,
    families.flatMap(({ name, form }) => (form ? name : [])),
  );

/** Returns the path of the posts that a tag shows in the site's public API. */
function getSitePath(name: string, id: string) {
  if (name === 'autopost') return 'posts';
  const number = toInteger(id);
  return number > 0 && (name === 'post' || name === 'page') ? `${name}s/${number}` : undefined;
}

/** Returns the paths of all posts and pages that the content tags of a text show. */
export const listSitePaths = (text: string, language: TagLanguage): readonly string[] => [
  ...new Set(findContentTags(text, language).flatMap(({ name, inner }) => getSitePath(name, inner) ?? [])),
];

/** Returns a sentence about the size of what the service adds to a text; empty if it adds nothing. */
export const describeAddedContent = (text: string, language: TagLanguage): string =>
  findContentTags(text, language).length > 0 ? t('Content tags add to this size when the email is sent.') : '';

/** Returns a sample of what an add-on inserts, in the layout that the tag asks for, with the site's posts if these are known. It says that it is one. */
export function renderContent(
  { form, name, own = [] }: TagFamily,
  read: (parameter: string) => string,
  sitePosts: SitePosts = {},
): string {
  const readNumber = (parameter: string, fallback: number, max: number) =>
    Math.min(Math.max(1, toInteger(read(parameter)) || fallback), max);
  const sample = escapeHtml(t('Sample'));
  const formatTitle = (id: string | number) => escapeHtml(t('Sample: {0}', `${name} ${id}`));
  if (form === 'value') return formatTitle(read('id'));
  const itemId = toInteger(read('id'));
  if (form === 'item' && itemId <= 0) return '';

  const listed = own.find((parameter) => parameter.name === 'display')?.values.map(({ id }) => id);
  // Some add-ons show parts that only the site knows.
  const shown = listed
    ? read('display')
        .split(',')
        .filter((part) => listed.includes(part) || (listed.length < 2 && /^\w+$/.test(part)))
    : ['text'];
  const has = (names: string) => shown.some((part) => names.split(' ').includes(part));
  const known = data.parts.known.split(' ');
  const labels = shown.filter((part) => !known.includes(part));
  const rows = labels.map((label) => fill(data.label, { label, sample })).join('');
  const width = readNumber('maxwidth', 150, 600);
  const values = {
    sample,
    width,
    height: Math.ceil((width * 2) / 3),
    text: has(data.parts.text)
      ? escapeHtml(t('Sample text. The service adds the content when it sends the email.'))
      : '',
    labels: rows && fill(data.labels, { rows }),
    more: has('readmore') ? fill(data.more, { readMore: escapeHtml(t('Read more')) }) : '',
  };
  const hasImage = has(data.parts.image);
  const layout = (hasImage && layouts.get(read('format'))) || data.layouts.TOP_LEFT;
  const posts = sitePosts[getSitePath(name, read('id')) ?? ''] ?? [];
  const renderItem = (id: number, post: SitePost | undefined) => {
    const title = post ? escapeHtml(t('{0} (approximate)', post.title)) : formatTitle(id);
    const text = post && values.text ? escapeHtml(post.text) : values.text;
    const filled = fill(layout, { ...values, text, title: has('title') ? title : '' })
      .replaceAll(SAMPLE_LINK, (link) => (post ? escapeHtml(post.link) : link))
      .replace(/(?<= src=")data:[^"]*/, (image) => (post ? escapeHtml(post.image) : image));
    const isPictured = hasImage && post?.image !== '';
    const content = (isPictured ? filled : filled.replace(/<img[^<>]*>/g, '')).replace(
      /<(\w+)[^<>]*><\/\1>(?:<br \/>)?/g,
      '',
    );
    const href = post ? escapeHtml(post.link) : SAMPLE_LINK;
    const linked = content.replace(/<h2.*<\/h2>/s, (heading) => `<a href="${href}" target="_blank">${heading}</a>`);
    return `<div class="acymailing_content">${/^[^0]/.test(read('clickable')) ? linked : content}</div>`;
  };
  const columns = readNumber('cols', 1, MAX_COLUMNS);
  const count = form === 'item' ? 1 : readNumber('max', MAX_COLUMNS, Math.max(2, columns));
  if (count === 1) return renderItem(form === 'item' ? itemId : 1, posts[0]);
  const cells = Array.from({ length: count }, (_, index) =>
    fill(data.cell, { item: renderItem(index + 1, posts[index]), share: Math.floor(100 / columns) }),
  );
  const between = columns > 1 ? '' : '</tr>\n<tr>';
  return `<table cellspacing="0" cellpadding="0" border="0" width="100%" class="elementstable">\n<tr>${cells.join(between)}</tr>\n</table>`;
}
