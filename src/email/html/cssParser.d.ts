/** The parser only: the package's index loads 100 KB of syntax data. */
declare module 'css-tree/parser' {
  import type { CssNode, ParseOptions } from 'css-tree';

  interface Parser {
    error: () => never;
    /** A buffer that the parser reuses. */
    balance: Uint32Array | null;
  }

  const parse: {
    (text: string, options?: ParseOptions): CssNode;
    /** How the parser starts, by the option `context`. */
    readonly config: { readonly context: Record<string, (this: Parser) => CssNode> };
  };
  export default parse;
}

/** The tokenizer only. */
declare module 'css-tree/tokenizer' {
  /** @param onToken gets the type of each token, one of `tokenTypes`, and its offsets */
  export function tokenize(text: string, onToken: (type: number, start: number, end: number) => void): void;
  export const tokenTypes: Readonly<
    Record<'Function' | 'String' | 'Url' | 'LeftParenthesis' | 'RightParenthesis', number>
  >;
}
