import type { DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

const hiddenElements = new Set(['head', 'style', 'script', 'template']);
const blockElements = new Set([
  'p',
  'div',
  'tr',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'li',
  'ul',
  'ol',
  'hr',
  'blockquote',
  'section',
  'article',
  'br',
]);

/** Converts HTML to readable text: one line per paragraph or row, and links followed by their URL. */
export async function toPlainText(html: string): Promise<string> {
  const { getLimitMessage, parseHtml } = await import('../../email/html/parseHtml.ts');
  const { document, limit } = parseHtml(html);
  const text = renderNode(document) + (limit === undefined ? '' : `\n${getLimitMessage(limit)}`);
  return `${text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n')}\n`;
}

function renderNode(node: Node): string {
  if ('value' in node) return node.value.replace(/\s+/g, ' ');
  if (!('childNodes' in node) || hiddenElements.has(node.nodeName)) return '';
  const text = node.childNodes.map(renderNode).join('');
  if (blockElements.has(node.nodeName)) return `\n${text}\n`;
  if (node.nodeName === 'td' || node.nodeName === 'th') return `${text} `;
  const href =
    'attrs' in node && node.nodeName === 'a' ? node.attrs.find(({ name }) => name === 'href')?.value : undefined;
  return href && /^https?:/i.test(href) && text.trim() ? `${text.trim()} (${href})` : text;
}
