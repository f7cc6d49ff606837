import { localized, plural, t } from '../../l10n.ts';
import { parseStyleAttribute } from '../checks/css.ts';
import { escapeHtml } from '../compose/compose.ts';
import { insertEdit } from '../html/text.ts';
import { parseSource, type SourceNode } from '../html/sourceMap.ts';
import type { LensPart } from './edits.ts';

/** Elements that a screen reader separates from their surroundings by a pause. */
const blockElements = new Set(
  (
    'address article aside blockquote body br button caption center dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hr li main nav ol p pre section table td th tr ul'
  ).split(' '),
);
const silentNodes = new Set('head style script title template #comment #documentType noscript'.split(' '));
const PAGE_STYLE = `<style>
body { margin: 24px; max-width: 640px; background: #fff; color: #1f1f1f; font: 15px/1.6 system-ui, sans-serif; }
p { margin: 0 0 6px; }
i {
  padding: 1px 5px; margin-right: 5px; border-radius: 3px;
  background: #ffefc2; color: #5a3d00; font: 600 11px/1.4 system-ui, sans-serif;
}
</style>`;

/** Returns the email as a screen reader announces it: roles, names, alternative texts and links in reading order. */
export function createReadingOrder(html: string): LensPart[] {
  const reader = new ReadingOrder();
  reader.read(parseSource(html));
  return reader.end(html.length);
}

class ReadingOrder {
  readonly #parts: LensPart[] = [insertEdit(0, `${PAGE_STYLE}<body>`)];
  #line: LensPart[] = [];
  #hasWords = false;

  end(length: number): LensPart[] {
    this.#flush();
    return [...this.#parts, insertEdit(length, '</body>')];
  }

  read(node: SourceNode): void {
    if (silentNodes.has(node.name) || isSkipped(node)) return;
    if (node.name === '#text') return this.#text(node);
    const isBlock = blockElements.has(node.name);
    if (isBlock) this.#flush();
    const role = getSpokenRole(node);
    if (role !== undefined) this.#say(node, role);
    if (node.name === 'img') this.#image(node);
    else for (const child of node.children) this.read(child);
    if (isBlock) this.#flush();
  }

  #text({ range, value = '' }: SourceNode) {
    if (!range) return;
    const isBlank = value.trim() === '';
    this.#line.push(isBlank ? { ...range, text: ' ' } : { start: range.start, end: range.end });
    this.#hasWords ||= !isBlank;
  }

  #image(node: SourceNode) {
    const alt = node.attribute('alt');
    if (alt === '' || (alt === undefined && /^[01]$/.test(node.attribute('width') ?? ''))) return;
    this.#say(node, t('image'));
    // Screen readers fall back to the file name.
    const name = /[^/?#]*(?=[?#]|$)/.exec(node.attribute('src') ?? '')?.[0] ?? '';
    this.#put(node, escapeHtml(alt ?? t`${name} (no alt text)`));
  }

  #say(node: SourceNode, role: string) {
    this.#put(node, ` <i>${escapeHtml(role)}</i>`);
  }

  #put({ range = { start: 0, end: 0 } }: SourceNode, text: string) {
    this.#line.push(insertEdit(range.start, text));
    this.#hasWords = true;
  }

  #flush() {
    const [first, last] = [this.#line[0], this.#line.at(-1)];
    if (this.#hasWords && first && last)
      this.#parts.push(insertEdit(first.start, '<p>'), ...this.#line, insertEdit(last.end, '</p>\n'));
    this.#line = [];
    this.#hasWords = false;
  }
}

/** Returns the announcement before an element's content, or undefined. */
function getSpokenRole(node: SourceNode) {
  const role = node.attribute('role')?.trim().toLowerCase();
  const label = node.attribute('aria-label')?.trim();
  const withLabel = (text: string) => (label ? `${text}, ${label}` : text);
  if (/^h[1-6]$/.test(node.name)) return withLabel(t`heading level ${node.name.slice(1)}`);
  if (node.name === 'a' && node.attribute('href') !== undefined)
    return withLabel(role === 'button' ? t('button') : t('link'));
  if (node.name === 'table' && role !== 'presentation' && role !== 'none')
    return withLabel(plural(countRows(node), t('table, {0} row'), t('table, {0} rows')));
  if (node.name === 'ul' || node.name === 'ol')
    return withLabel(plural(node.children.filter(isItem).length, t('list, {0} item'), t('list, {0} items')));
  if (node.name === 'li') return t({ message: 'item', args: [], comment: 'A screen reader announces a list item' });
  if (node.name === 'th')
    return t({ message: 'header', args: [], comment: 'A screen reader announces a header cell of a table' });
  if (node.name === 'button') return withLabel(t('button'));
  const spokenRole = role && getSpokenRoles().get(role);
  return spokenRole ? withLabel(spokenRole) : label;
}

const isItem = ({ name }: SourceNode) => name === 'li';

/** Announcements of ARIA roles. */
const getSpokenRoles = localized(
  () =>
    new Map([
      ['article', t({ message: 'article', args: [], comment: 'A screen reader announces an article' })],
      ['banner', t({ message: 'banner', args: [], comment: 'A screen reader announces the header of a page' })],
      ['main', t({ message: 'main', args: [], comment: 'A screen reader announces the main part of a page' })],
      ['navigation', t('navigation')],
      ['region', t({ message: 'region', args: [], comment: 'A screen reader announces a part of a page' })],
      ['heading', t('heading')],
      [
        'contentinfo',
        t({ message: 'content info', args: [], comment: 'A screen reader announces the footer of a page' }),
      ],
    ]),
);

function countRows(table: SourceNode) {
  return table.children
    .flatMap((child) => (child.name === 'tr' ? [child] : child.children))
    .filter(({ name }) => name === 'tr').length;
}

const hidingDeclaration = /^(?:display:none|visibility:hidden)\b/i;

/** Screen readers skip hidden elements, but not tiny ones. */
function isSkipped(node: SourceNode) {
  if (node.name.startsWith('#')) return false;
  if (node.attribute('aria-hidden') === 'true' || node.attribute('hidden') !== undefined) return true;
  const text = node.attribute('style');
  if (text === undefined || !/display|visibility/i.test(text)) return false;
  return parseStyleAttribute(text).some(({ property, value }) => hidingDeclaration.test(`${property}:${value}`));
}
