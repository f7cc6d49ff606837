/** The parser alone: the package's index reads 100 KB of syntax data. */
declare module 'css-tree/parser' {
  import type { CssNode, ParseOptions } from 'css-tree';

  export default function parse(text: string, options?: ParseOptions): CssNode;
}

/** The tokenizer alone. */
declare module 'css-tree/tokenizer' {
  /** @param onToken gets the type of each token, one of `tokenTypes`, and its offsets */
  export function tokenize(text: string, onToken: (type: number, start: number, end: number) => void): void;
  export const tokenTypes: Readonly<Record<'Function' | 'String' | 'Url' | 'LeftParenthesis' | 'RightParenthesis', number>>;
}
