import { parseDocument } from './parse.ts';
import { collectElements, newElement } from './tree.ts';
import type { ElementNode, TreeNode } from './tree.ts';

export interface EmailDocument {
  readonly roots: readonly TreeNode[];
  /** The first body, created if it is missing. Only the body is sent. */
  readonly body: ElementNode;
}

const CHARSET_META = '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">';
const templatePattern = /<template[\s>][^<]*(?:<(?!\/template>)[^<]*)*(?:<\/template>|$)/gi;
const commentPattern = /<!--[^-]*(?:-(?!->)[^-]*)*(?:-->|$)/g;

/** Prepares and parses an email like the service. */
export function parseEmailDocument(html: string): EmailDocument {
  const top = parseDocument(addCharset(addDoctype(addSlashes(html))));
  const elements = collectElements(top);
  const body = elements.find((element) => element.name === 'body');
  if (body) return { roots: top, body };
  const root = elements.find((element) => element.name === 'html');
  const created = newElement('body', root);
  root?.children.push(created);
  return { roots: top, body: created };
}

/** libxml doesn't support these void elements unless they end with a slash. */
function addSlashes(html: string): string {
  return html.replace(/<(?:command|embed|keygen|source|track|wbr)\b[^>]*(?=>)/g, (tag) =>
    tag.endsWith('/') ? tag : `${tag}/`,
  );
}

function addDoctype(html: string): string {
  return /<!doctype/i.test(html) ? html : `<!DOCTYPE html>${html}`;
}

/** Adds the character set to the head, creating one if needed. This decides where the first element of a fragment ends up. */
function addCharset(html: string): string {
  const declared = /<meta(?=\s)[^>]*\shttp-equiv=(["']?)Content-Type\1[\s/>]/i.exec(html);
  if (declared && !endsHead(html.slice(0, declared.index))) return html;
  if (/<head[\s>]/i.test(html)) return html.replace(/<head(?=[\s>])[^>]*>/gi, (head) => head + CHARSET_META);
  if (/<html/i.test(html)) return html.replace(/<html[^]*?>/gi, (tag) => `${tag}<head>${CHARSET_META}</head>`);
  return CHARSET_META + html;
}

/** Returns whether the head of a document ends within its leading text. */
function endsHead(html: string): boolean {
  const ends = /<(?!(?:html|head|base|command|link|meta|noscript|script|style|template|title)[\s/>])\w|<\/head>/i;
  return ends.test(html) && ends.test(html.replace(commentPattern, '').replace(templatePattern, ''));
}
