import type { DefaultTreeAdapterTypes } from 'parse5';
import { escapeHtml } from './compose.ts';
import { getDisplayRefusal } from '../html/limits.ts';
import { getLimitMessage, parseHtml } from '../html/parseHtml.ts';

const inlines = /^(?:a|img|br|strong|em|u|s|strike|del|sub|sup|code)$/u;
const blocks = /^(?:p|h[1-6]|ul|ol|li|table|tr|td|th|blockquote|hr|div)$/u;
const voids = /^(?:hr|img|br)$/u;
/** Stay also without content. */
const emptyElements = /^(?:hr|img|br|tr|td|th)$/u;
/** Become `<div>`. */
const containers = /^(?:section|article|main|header|footer|nav|aside|address|figure|figcaption|dt|dd|pre)$/u;
/** Lose their content too. */
const dropped = /^(?:head|script|style|template|title|xml|noscript|iframe|object|svg|math|textarea|select)$/u;
const keptAttributes =
  /^(?:href|src|alt|width|height|colspan|rowspan|align|valign|bgcolor|border|cellpadding|cellspacing|start|dir)$/u;

/**
 * Converts HTML of the clipboard, as from Word, Google Docs or a web page, to HTML for an email: structure, links, bold, italics, lists,
 * tables and images with public addresses. Takes bounded time. @throws if the HTML is too long or nested too deep
 */
export function convertPasted(html: string): string {
  const refusal = getDisplayRefusal(html);
  if (refusal !== undefined) throw new Error(refusal);
  const { document, limit } = parseHtml(html);
  if (limit) throw new Error(getLimitMessage(limit));

  /** @param open names of open inline elements */
  function convertAll(nodes: readonly DefaultTreeAdapterTypes.ChildNode[], open: readonly string[]) {
    let text = '';
    const lists: string[] = [];
    const closeLists = (level: number) => {
      while (lists.length > level) text += `</li>\n</${lists.pop()}>\n`;
    };
    for (const node of nodes) {
      const converted = convert(node, open);
      if (lists.length > 0 && converted.trim() === '') continue;
      const level = getListLevel(node);
      closeLists(level);
      if (level > 0 && lists.length === level) text += '</li>\n<li>';
      while (lists.length < level) {
        const start = node.sourceCodeLocation?.startOffset ?? 0;
        const [, marker = ''] = /mso-list:\s*ignore[^>]*>([^<]*)/iu.exec(html.slice(start, start + 1000)) ?? [];
        const name = /^\s*\w+[.)]/u.test(marker) ? 'ol' : 'ul';
        lists.push(name);
        text += `\n<${name}>\n<li>`;
      }
      text += converted;
    }
    closeLists(0);
    return text;
  }

  function convert(node: DefaultTreeAdapterTypes.ChildNode, open: readonly string[]) {
    if ('value' in node)
      return escapeHtml(node.value.replace(/[\t\n\f\r ]+/gu, ' '))
        .replaceAll('&quot;', '"')
        .replaceAll('\u00a0', '&nbsp;');
    if (!('tagName' in node) || dropped.test(node.tagName)) return '';
    const style = getAttribute(node, 'style');
    if (/display:\s*none|mso-(?:hide:\s*all|list:\s*ignore)/iu.test(style)) return '';
    const names = getNames(node, style).filter((name) => !open.includes(name));
    const [name = ''] = names;
    const isBlock = blocks.test(name);
    const inner = convertAll(node.childNodes, isBlock ? open : [...open, ...names]);
    const isNeeded = name === 'div' ? !inner.includes('\n') : name !== '';
    const isEmpty = inner.trim() === '' && !emptyElements.test(name);
    const start = isNeeded && !isEmpty ? `<${names.join('><')}${formatAttributes(node)}>` : '';
    const end = start === '' || voids.test(name) ? '' : `</${names.toReversed().join('></')}>`;
    // Only blocks contain line breaks.
    return isBlock ? `\n${start}${inner.replace(/^ | $/gu, '')}${end}\n` : start + inner + end;
  }

  return convertAll(document.childNodes, [])
    .replace(/ +/gu, ' ')
    .replace(/ ?\n[ \n]*/gu, '\n')
    .trim();
}

const getAttribute = (node: DefaultTreeAdapterTypes.ChildNode, wanted: string) =>
  ('attrs' in node && node.attrs.find(({ name }) => name === wanted)?.value.trim()) || '';

/** Returns the level of a list item of Word, which is a paragraph; 0 for all others. */
function getListLevel(node: DefaultTreeAdapterTypes.ChildNode) {
  const [, level = 0] = /mso-list:[^;]*\blevel([1-9])/iu.exec(getAttribute(node, 'style')) ?? [];
  return node.nodeName === 'p' ? Number(level) : 0;
}

/** Returns the names of the elements that an element becomes, the outer first. */
function getNames(element: DefaultTreeAdapterTypes.Element, style: string) {
  const name = element.tagName.replace(/^b$/u, 'strong').replace(/^i$/u, 'em').replace(containers, 'div');
  if (!blocks.test(name) && !inlines.test(name))
    return [
      ...(/font-weight:\s*(?:bold|[6-9]00)/iu.test(style) ? ['strong'] : []),
      ...(/font-style:\s*italic/iu.test(style) ? ['em'] : []),
    ];
  const isUnneeded =
    (name === 'a' && !isPublic(getAttribute(element, 'href'))) ||
    (name === 'img' && !isPublic(getAttribute(element, 'src'))) ||
    // Google Docs writes these around documents and in list items, and browsers end what was copied with the last.
    (name === 'strong' && /font-weight:\s*(?:normal|[1-5]00)/iu.test(style)) ||
    (name === 'p' && (getAttribute(element, 'role') === 'presentation' || getListLevel(element) > 0)) ||
    (name === 'br' && getAttribute(element, 'class') === 'Apple-interchange-newline');
  return isUnneeded ? [] : [name];
}

/** Returns whether a URL opens everywhere, or is a merge tag. */
const isPublic = (url: string) => /^(?:https?:|mailto:|tel:|sms:|\{)/iu.test(url);

const formatAttributes = ({ attrs }: DefaultTreeAdapterTypes.Element) =>
  attrs
    .filter(
      ({ name, value }) =>
        keptAttributes.test(name) &&
        (name === 'dir' ? value === 'rtl' : isPublic(value.trim()) || !/^(?:href|src)$/u.test(name)),
    )
    .map(({ name, value }) => ` ${name}="${escapeHtml(value.trim())}"`)
    .join('');
