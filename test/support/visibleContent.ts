import { parse, type DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

const blockNames = new Set(
  (
    '#document html head body table caption colgroup col thead tbody tfoot tr td th div p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd center ' +
    'section article header footer main nav aside address blockquote figure figcaption form fieldset legend hr pre ' +
    'meta link style title base script br'
  ).split(' '),
);

const collapse = (text: string) => text.replace(/[ \t\r\n\f]+/gu, ' ');

interface Token {
  readonly text: string;
  readonly kind: 'block' | 'inline' | 'comment' | 'text';
}

/** Lists everything in a document except white space that browsers and Word ignore: beside blocks, and after other white space. */
export function listVisibleContent(html: string): readonly string[] {
  const tokens: Token[] = [];
  const visit = (node: Node, isPreserved: boolean) => {
    if ('value' in node) {
      tokens.push({ kind: 'text', text: isPreserved ? node.value : collapse(node.value) });
    } else if ('data' in node) tokens.push({ kind: 'comment', text: `<!--${collapse(node.data)}` });
    else if ('childNodes' in node) {
      const name = node.nodeName;
      const attributes = 'attrs' in node ? node.attrs : [];
      const style = attributes.find((attribute) => attribute.name === 'style')?.value ?? '';
      const kind = blockNames.has(name) && !/display\s*:\s*inline/iu.test(style) ? 'block' : 'inline';
      const written = attributes.map(
        ({ name: key, value }) =>
          `${key}=${key === 'style' ? collapse(value.replace(/\s*;\s*/gu, ';')).trim() : value}`,
      );
      tokens.push({ kind, text: `<${name} ${written.join(' ')}>` });
      const children = 'content' in node ? node.content.childNodes : node.childNodes;
      for (const child of children) visit(child, isPreserved || ['pre', 'style', 'textarea'].includes(name));
      tokens.push({ kind, text: `</${name}>` });
    }
  };
  visit(parse(html), false);
  const isBesideBlock = (index: number, step: 1 | -1) => {
    let at = index + step;
    while (tokens[at]?.kind === 'comment' || tokens[at]?.text === ' ') at += step;
    return (tokens[at]?.kind ?? 'block') === 'block';
  };
  return tokens.flatMap(({ kind, text }, index) => {
    if (kind !== 'text') return [text];
    const start = text.startsWith(' ') && isBesideBlock(index, -1) ? 1 : 0;
    const end = text.length > start && text.endsWith(' ') && isBesideBlock(index, 1) ? -1 : undefined;
    return text.slice(start, end) || [];
  });
}

/** Returns the lines of a text part without spaces around them. */
export const listTextLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim()
    .split('\n');
