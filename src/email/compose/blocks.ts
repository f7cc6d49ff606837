import { escapeHtml } from './compose.ts';

/** A piece of an email. */
export interface Block {
  readonly name: string;
  /** Undefined for a block of a workspace. */
  readonly title?: string;
  /** HTML in VS Code's snippet syntax. */
  readonly snippet: string;
}

/** An escaped character, or a placeholder without others in it: `${1:default}` or `${1|first,second|}`. */
const innermostPlaceholder = /\\[$}\\]|\$\{(\w+)(?::((?:\\[^]|\$(?![{\w])|[^\\$}])*)|\|([^,|}]*)(?:,[^|}]*)?\|)\}/gu;
const reference = /\\([$}\\])|\$(\d+|[A-Z_]+)|\$\{(\w+)\}/gu;

/** More levels of placeholders stay as they are. */
const MAX_DEPTH = 4;
/** A longer default isn't repeated, which limits the length of the text. */
const MAX_REPEATED_CHARS = 1000;

/** Returns the text of a snippet as it is inserted, with the defaults of its placeholders. */
export function expandSnippet(snippet: string): string {
  const defaults = new Map<string, string>();
  let text = snippet;
  for (let depth = 0; depth < MAX_DEPTH; depth++)
    text = text.replace(innermostPlaceholder, (match, name?: string, value?: string, choice = '') => {
      if (name === undefined) return match;
      if (!defaults.has(name)) defaults.set(name, (value ?? choice).slice(0, MAX_REPEATED_CHARS));
      return value ?? choice;
    });
  const insert = (_: string, escaped?: string, name?: string, braced = '') =>
    escaped ?? defaults.get(name ?? braced)?.replace(reference, '$1') ?? '';
  return text.replace(reference, insert);
}

/** Shows images that aren't loaded. */
const pageStyle = '<style>h2 { font: bold 18px sans-serif; } img { min-height: 48px; background: #dde3ea; }</style>';

/** Returns an email that shows all blocks, each below its title. */
export const composeBlockPage = (blocks: readonly Block[]): string =>
  pageStyle +
  blocks
    .map(
      ({ name, title = name, snippet }) =>
        `\n<h2>${escapeHtml(title)} <code>!${escapeHtml(name)}</code></h2>\n${expandSnippet(snippet)}\n<br><br>`,
    )
    .join('');
