import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';

/** Emails and their sent versions. Not part of the repository. */
export const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));
export const hasReferences = existsSync(`${shared}as-sent`) && existsSync(`${shared}corpus`);

export interface Reference {
  readonly name: string;
  readonly body: string;
  readonly stylesheet: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

export const site = 'https://news.example.org';

/** Reads every email with its sent version, as described in `as-sent/README.md`. `tracked`: with tracked links. */
export function readReferences(kind: 'sent' | 'tracked' = 'sent'): Reference[] {
  const ending = `.${kind}.html`;
  const files = readdirSync(`${shared}as-sent`).filter((file) => file.endsWith(ending));
  return files
    .map((file) => file.slice(0, -ending.length))
    .map((name) => ({
      name,
      body: withExtraLine(readFileSync(`${shared}corpus/${name}.html`, 'utf8')),
      stylesheet: '.extra-test{color:#123456}',
      subject: `Reference: ${name}`,
      html: readFileSync(`${shared}as-sent/${name}.${kind}.html`, 'utf8'),
      text: readFileSync(`${shared}as-sent/${name}.${kind}.txt`, 'utf8').replaceAll('\r\n', '\n'),
    }));
}

function withExtraLine(body: string) {
  const line = '<p class="extra-test">Extra test line</p>';
  const end = body.lastIndexOf('</body>');
  return end < 0 ? body + line : body.slice(0, end) + line + body.slice(end);
}

export interface Comparison {
  /** Elements with the same name, position, text, attributes and declarations. */
  readonly same: number;
  readonly elements: number;
  readonly sameLines: number;
  readonly lines: number;
  readonly hasSameHeadRules: boolean;
  /** Own size divided by the reference size. */
  readonly size: number;
  readonly differences: readonly string[];
}

type Parts = Pick<Reference, 'html' | 'text'>;

export function compareSent(own: Parts, reference: Parts): Comparison {
  const differences: string[] = [];
  const ours = listElements(own.html);
  const theirs = listElements(reference.html);
  const elements = Math.max(ours.length, theirs.length);
  let same = 0;
  for (let index = 0; index < elements; index += 1) {
    if (ours[index] === theirs[index]) same += 1;
    else differences.push(`${theirs[index]} → ${ours[index]}`);
  }
  const lines = reference.text.trimEnd().split('\n');
  const ownLines = own.text.trimEnd().split('\n');
  const sameLines = lines.filter((line, index) => line === ownLines[index]).length;
  const bytes = (text: string) => Buffer.byteLength(text);
  return {
    same,
    elements,
    sameLines,
    lines: Math.max(lines.length, ownLines.length),
    differences,
    hasSameHeadRules: firstStyle(own.html) === firstStyle(reference.html),
    size: bytes(own.html) / bytes(reference.html),
  };
}

type Node = DefaultTreeAdapterTypes.Node;

/** Returns each element of the body as one text: path, attributes, declarations and own text. */
function listElements(html: string) {
  const elements: string[] = [];
  const visit = (node: Node, path: string) => {
    if (!('tagName' in node)) {
      if ('childNodes' in node) for (const child of node.childNodes) visit(child, path);
      return;
    }
    const attributes = node.attrs.map(
      ({ name, value }) => `${name}=${name === 'style' ? declarations(value).join('|') : value}`,
    );
    const text = node.childNodes.map((child) => ('value' in child ? child.value : '#')).join('');
    const here = `${path}/${node.tagName}`;
    if (here.startsWith('/html/body')) elements.push(`${here} [${attributes.join(' ')}] ${text}`);
    for (const child of node.childNodes) visit(child, here);
  };
  visit(parse(html), '');
  return elements;
}

function declarations(style: string) {
  const declarationTexts = style
    .split(/;(?!base64|charset)/)
    .map((declaration) => declaration.replace(/^\s*([\w-]+)\s*:\s*/, '$1:').trim());
  return declarationTexts.filter((declaration) => declaration !== '');
}

function firstStyle(html: string) {
  return /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
}
