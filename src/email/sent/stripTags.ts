/** Replicates how PHP and WordPress strip tags. */

/** Removes scripts and styles with their content, then all tags and comments, then surrounding whitespace. */
export function stripTags(text: string): string {
  return phpTrim(phpStripTags(removeRawElements(text)));
}

const isTrimCharacter = (code: number): boolean =>
  code === 32 || code === 9 || code === 10 || code === 13 || code === 0 || code === 11;

export function phpTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isTrimCharacter(text.charCodeAt(start))) start += 1;
  while (end > start && isTrimCharacter(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Removes closed `<script>` and `<style>` elements. */
function removeRawElements(text: string): string {
  const start = /<(script|style)[^>]*>/gi;
  const ends = { script: /<\/script>/gi, style: /<\/style>/gi };
  const missing = new Set<RegExp>();
  let result = '';
  let from = 0;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const end = match[1]?.toLowerCase() === 'script' ? ends.script : ends.style;
    end.lastIndex = start.lastIndex;
    if (missing.has(end) || !end.test(text)) {
      missing.add(end);
      continue;
    }
    result += text.slice(from, match.index);
    from = start.lastIndex = end.lastIndex;
  }
  return result + text.slice(from);
}

type TagState = 'text' | 'tag' | 'instruction' | 'declaration' | 'comment';

const isPhpWhitespace = (character: string): boolean => /^[ \t\n\v\f\r]$/.test(character);

/** PHP's `strip_tags`: a `<` before a space is text, and quotes in tags hide their content. */
function phpStripTags(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const start = at;
    while (at < text.length && !isTagEdge(text, at)) at += 1;
    parts.push(text.slice(start, at).replaceAll('\0', ''));
    if (text[at] === '>') {
      if (depth === 0) parts.push('>');
      depth = Math.max(0, depth - 1);
      at += 1;
    } else [at, depth] = skipTag(text, at + 1, depth);
  }
  return parts.join('');
}

const isTagEdge = (text: string, at: number): boolean =>
  text[at] === '>' || (text[at] === '<' && !isPhpWhitespace(text.charAt(at + 1)));

/** Returns the offset after a tag or comment, and how many `<` are still open there. */
function skipTag(text: string, start: number, depthBefore: number): [at: number, depth: number] {
  let state: TagState = 'tag';
  let depth = depthBefore;
  let quote = '';
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '>' && quote === '') {
      if (state !== 'comment' && depth > 0) depth -= 1;
      else if (isTagEnd(state, text, at)) return [at + 1, depth];
    } else if (character === '<' && state === 'tag' && quote === '' && !isPhpWhitespace(text.charAt(at + 1)))
      depth += 1;
    else if ((character === '"' || character === "'") && state !== 'comment') {
      quote = getNextQuote(quote, character, state !== 'tag' && text.charAt(at - 1) === '\\');
    } else state = getNextState(state, text, at);
  }
  return [text.length, depth];
}

function isTagEnd(state: TagState, text: string, at: number): boolean {
  if (state === 'instruction') return text.charAt(at - 1) === '?';
  return state !== 'comment' || text.startsWith('--', at - 2);
}

function getNextState(state: TagState, text: string, at: number): TagState {
  const character = text.charAt(at);
  const before = text.charAt(at - 1);
  if (state === 'tag' && before === '<' && character === '!') return 'declaration';
  if (state === 'tag' && before === '<' && character === '?') return 'instruction';
  if (state === 'declaration' && character === '-' && text.startsWith('!-', at - 2)) return 'comment';
  if (state === 'declaration' && /e/i.test(character) && /^<!doctyp$/i.test(text.slice(at - 8, at))) return 'tag';
  if (state === 'instruction' && /l/i.test(character) && /^<\?xm$/i.test(text.slice(at - 4, at))) return 'tag';
  return state;
}

function getNextQuote(quote: string, character: string, isEscaped: boolean): string {
  if (isEscaped) return quote;
  if (quote === '') return character;
  return quote === character ? '' : quote;
}
