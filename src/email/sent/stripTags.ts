/** Text without tags, as PHP and WordPress leave it. */

/** Scripts and styles go with what they hold; then all tags and comments; then the space around. */
export function stripTags(text: string): string {
  return phpTrim(phpStripTags(withoutRaw(text)));
}

const isTrimmed = (code: number): boolean =>
  code === 32 || code === 9 || code === 10 || code === 13 || code === 0 || code === 11;

export function phpTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isTrimmed(text.charCodeAt(start))) start += 1;
  while (end > start && isTrimmed(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Without `<script>` and `<style>` elements that end. */
function withoutRaw(text: string): string {
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

type State = 'text' | 'tag' | 'instruction' | 'declaration' | 'comment';

const isSpace = (sign: string): boolean => /^[ \t\n\v\f\r]$/.test(sign);

/** PHP's `strip_tags`: a `<` before a space is text, quotes in tags hide what they hold. */
function phpStripTags(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const start = at;
    while (at < text.length && !isEdge(text, at)) at += 1;
    parts.push(text.slice(start, at).replaceAll('\0', ''));
    if (text[at] === '>') {
      if (depth === 0) parts.push('>');
      depth = Math.max(0, depth - 1);
      at += 1;
    } else [at, depth] = endOfTag(text, at + 1, depth);
  }
  return parts.join('');
}

const isEdge = (text: string, at: number): boolean =>
  text[at] === '>' || (text[at] === '<' && !isSpace(text.charAt(at + 1)));

/** Where text goes on behind a tag, a comment or the like, and how many `<` stand open then. */
function endOfTag(text: string, start: number, depthBefore: number): [at: number, depth: number] {
  let state: State = 'tag';
  let depth = depthBefore;
  let quote = '';
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '>' && quote === '') {
      if (state !== 'comment' && depth > 0) depth -= 1;
      else if (endsHere(state, text, at)) return [at + 1, depth];
    } else if (sign === '<' && state === 'tag' && quote === '' && !isSpace(text.charAt(at + 1))) depth += 1;
    else if ((sign === '"' || sign === "'") && state !== 'comment') {
      quote = nextQuote(quote, sign, state !== 'tag' && text.charAt(at - 1) === '\\');
    } else state = nextState(state, text, at);
  }
  return [text.length, depth];
}

function endsHere(state: State, text: string, at: number): boolean {
  if (state === 'instruction') return text.charAt(at - 1) === '?';
  return state !== 'comment' || text.startsWith('--', at - 2);
}

function nextState(state: State, text: string, at: number): State {
  const sign = text.charAt(at);
  const before = text.charAt(at - 1);
  if (state === 'tag' && before === '<' && sign === '!') return 'declaration';
  if (state === 'tag' && before === '<' && sign === '?') return 'instruction';
  if (state === 'declaration' && sign === '-' && text.startsWith('!-', at - 2)) return 'comment';
  if (state === 'declaration' && /e/i.test(sign) && /^<!doctyp$/i.test(text.slice(at - 8, at))) return 'tag';
  if (state === 'instruction' && /l/i.test(sign) && /^<\?xm$/i.test(text.slice(at - 4, at))) return 'tag';
  return state;
}

function nextQuote(quote: string, sign: string, isEscaped: boolean): string {
  if (isEscaped) return quote;
  if (quote === '') return sign;
  return quote === sign ? '' : quote;
}
