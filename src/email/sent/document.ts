import { parseDocument } from './parse.ts';
import { collectElements, newElement } from './tree.ts';
import type { ElementNode, TreeNode } from './tree.ts';

export interface EmailDocument {
  readonly roots: readonly TreeNode[];
  /** The first body, made where there is none: all that is sent of the tree. */
  readonly body: ElementNode;
}

const CHARSET_META = '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">';
const templatePattern = /<template[\s>][^<]*(?:<(?!\/template>)[^<]*)*(?:<\/template>|$)/gi;
const commentPattern = /<!--[^-]*(?:-(?!->)[^-]*)*(?:-->|$)/g;

/** The body of an email as a tree, prepared and parsed as the service does. */
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

/** Empty elements that libxml doesn't know get a slash. */
function addSlashes(html: string): string {
  return html.replace(/<(?:command|embed|keygen|source|track|wbr)\b[^>]*(?=>)/g, (tag) =>
    tag.endsWith('/') ? tag : `${tag}/`,
  );
}

function addDoctype(html: string): string {
  return /<!doctype/i.test(html) ? html : `<!DOCTYPE html>${html}`;
}

/** The character set goes into the head, and makes one: that decides where a fragment's first element lands. */
function addCharset(html: string): string {
  const declared = /<meta(?=\s)[^>]*\shttp-equiv=(["']?)Content-Type\1[\s/>]/i.exec(html);
  if (declared && !endsHead(html.slice(0, declared.index))) return html;
  if (/<head[\s>]/i.test(html)) return html.replace(/<head(?=[\s>])[^>]*>/gi, (head) => head + CHARSET_META);
  if (/<html/i.test(html)) return html.replace(/<html[^]*?>/gi, (tag) => `${tag}<head>${CHARSET_META}</head>`);
  return CHARSET_META + html;
}

/** Whether the head has ended within a text that begins a document. */
function endsHead(html: string): boolean {
  const ends = /<(?!(?:html|head|base|command|link|meta|noscript|script|style|template|title)[\s/>])\w|<\/head>/i;
  return ends.test(html) && ends.test(html.replace(commentPattern, '').replace(templatePattern, ''));
}
