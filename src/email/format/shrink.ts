import { parseStylesheet } from '../checks/css.ts';
import { createPlaceholderGuard, findPlaceholders } from '../compose/placeholders.ts';
import { applyEdits, type TextEdit } from '../html/text.ts';
import { composeSent } from '../sent/index.ts';
import { layOut } from './layout.ts';
import { isAuthorComment, isTransparent, readParts, type Part } from './parts.ts';

/** Returns edits that remove comments, except between words. */
export function findComments(html: string, parts: readonly Part[]): readonly TextEdit[] {
  return parts.flatMap((part) => {
    if (part.isLocked || !isTransparent(html, part) || !isAuthorComment(part.name)) return [];
    const before = html.slice(Math.max(0, part.start - 1000), part.start);
    const after = html.slice(part.end, part.end + 1000);
    const [space = ''] = /^[ \t]*(?:\r?\n[ \t\r\n]*)?/.exec(after) ?? [];
    const isBetweenText = /[^>\s]\s*$/.test(before) && /^\s*[^<\s]/.test(after);
    const startsLine = /(?:^|\n)[ \t]*$/.test(before);
    return isBetweenText ? [] : [{ start: part.start, end: part.end + (startsLine ? space.length : 0), text: '' }];
  });
}

/** Returns edits that remove indentation and empty lines, and join the lines of tags. */
export function findIndentation(html: string, parts: readonly Part[]): readonly TextEdit[] {
  const edits = layOut(html, parts, { indent: '', printWidth: Infinity, eol: '\n' });
  return edits
    .map((edit) => (edit.isInTag ? edit : { ...edit, text: edit.text.replace(/^\n+/, '\n') }))
    .filter(({ start, end, text }) => text.length < end - start);
}

/** Class names and ids that mail clients add. */
const clientNames =
  /^(?:ExternalClass|ReadMsgBody|outlook|Mso|ecx|yshortcuts|aolmail|apple|gmail|Message(?:View|WebView)|moz-|bloop|cloudhq|ii|im|a6S|body$)/i;

/** Removes rules for classes and ids that the email doesn't have, if it is sent the same without them. */
export function removeUnusedRules(html: string): string {
  const parts = readParts(html, 0);
  const styles = parts.flatMap(({ kind, name, end }, index) =>
    kind === 'open' && name === 'style' ? [{ start: end, end: parts[index + 1]?.start ?? html.length, text: '' }] : [],
  );
  const words = new Set(applyEdits(html, styles).match(/[-\w]+/g));
  const isUnused = (selector: string) =>
    !/[[(\\]/.test(selector) &&
    [...selector.matchAll(/[.#]([-\w]+)/g)].some(([, name = '']) => !words.has(name) && !clientNames.test(name));
  const edits = styles.flatMap(({ start, end }) => {
    const { rules } = parseStylesheet(html.slice(start, end));
    const unused = rules.filter(
      ({ selectors }) => selectors.length > 0 && selectors.every(({ text }) => isUnused(text)),
    );
    return unused.map((rule) => {
      const space =
        /\s*$/.exec(html.slice(Math.max(start, start + rule.start - 200), start + rule.start))?.[0].length ?? 0;
      return { start: start + rule.start - space, end: start + rule.end, text: '' };
    });
  });
  const touchesPlaceholder = createPlaceholderGuard(findPlaceholders(html));
  const text = applyEdits(
    html,
    edits.filter((edit) => !touchesPlaceholder(edit)),
  );
  const [before, after] = [html, text].map((body) => composeSent({ body }, { profile: 'acymailing' }).html);
  return before === after ? text : html;
}
