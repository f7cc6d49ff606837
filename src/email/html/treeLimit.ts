import type { DefaultTreeAdapterTypes } from 'parse5';
import { nestsTooDeep } from './nesting.ts';
import { parseHtml, type HtmlLimit, type HtmlLimits } from './parseHtml.ts';

/**
 * Returns the first limit that the tree of a document reaches, or `nesting` for the brackets of its stylesheets; undefined if it stays
 * below all of them.
 */
export function treeLimit(html: string, limits: HtmlLimits): HtmlLimit | 'nesting' | undefined {
  const { document, limit } = parseHtml(html, limits);
  if (limit !== undefined) return limit;
  const waiting: DefaultTreeAdapterTypes.Node[] = [document];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeName === 'style' && 'childNodes' in node) {
      if (nestsTooDeep(node.childNodes.map((text) => ('value' in text ? text.value : '')).join(''))) return 'nesting';
    }
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes) waiting.push(child);
  }
  return undefined;
}
