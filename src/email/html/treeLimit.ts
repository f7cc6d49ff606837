import type { DefaultTreeAdapterTypes } from 'parse5';
import { isNestedTooDeep } from './nesting.ts';
import { parseHtml, type HtmlLimit, type HtmlLimits } from './parseHtml.ts';

/**
 * Returns the first limit that a document's tree exceeds, or `nesting` for the brackets of its stylesheets; undefined if it exceeds none.
 */
export function findTreeLimit(html: string, limits: HtmlLimits): HtmlLimit | 'nesting' | undefined {
  const { document, limit } = parseHtml(html, limits);
  if (limit !== undefined) return limit;
  const pending: DefaultTreeAdapterTypes.Node[] = [document];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.nodeName === 'style' && 'childNodes' in node) {
      if (isNestedTooDeep(node.childNodes.map((text) => ('value' in text ? text.value : '')).join('')))
        return 'nesting';
    }
    if ('content' in node) pending.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes) pending.push(child);
  }
  return undefined;
}
