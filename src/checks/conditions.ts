/** Conditional comments: Outlook's own way of being told what is meant for it alone. */

interface Range {
  readonly start: number;
  readonly end: number;
}

/** `<!--[if mso]>…<![endif]-->`, or `<!--[if !mso]><!-->…<!--<![endif]-->` where `isRevealed`. */
export interface ConditionalBlock extends Range {
  readonly condition: string;
  readonly opener: Range;
  readonly closer: Range;
  readonly isRevealed: boolean;
  /** Whether it draws a background or a shape for Outlook. */
  readonly vml: boolean;
}

/** What is wrong with one, and the edits that mend it. */
export interface ConditionProblem extends Range {
  readonly kind: 'unclosed' | 'stray' | 'nested' | 'slash';
  readonly related?: Range;
  readonly edits: readonly (Range & { readonly text: string })[];
}

/** `<![if !mso]>` and `<![endif]>`, which stand in the text for all clients. */
export interface BareMarker extends Range {
  readonly isEnd: boolean;
  readonly condition: string;
}

export interface Conditions {
  readonly blocks: readonly ConditionalBlock[];
  readonly problems: readonly ConditionProblem[];
  readonly bare: readonly BareMarker[];
}

const marker =
  /<!--\[if\s([^\]]*)\]>(-->|\s*<!--[\s>-]*?-->|<!-->)?|<!--\s*<!\[endif\]\s*-->|<!--|<!\[endif\]\s*\/?\s*(-->|>)|<!\[if\s([^\]]*)\]>/giu;

const drawing = /<v:(?:rect|roundrect|background|fill|shape)/iu;

interface Opened {
  readonly condition: string;
  readonly opener: Range;
}

/** Finds all conditional comments of a text. */
export function readConditions(text: string): Conditions {
  const blocks: ConditionalBlock[] = [];
  const problems: ConditionProblem[] = [];
  const bare: BareMarker[] = [];
  const open: Opened[] = [];
  marker.lastIndex = 0;
  for (let match = marker.exec(text); match; match = marker.exec(text)) {
    const [whole, condition, revealing, closing, bareCondition] = match;
    const found = { start: match.index, end: match.index + whole.length };
    if (condition !== undefined && revealing !== undefined) {
      const outer = open.at(-1);
      if (outer) problems.push({ ...found, kind: 'nested', related: outer.opener, edits: [] });
      open.push({ condition: condition.trim(), opener: found });
    } else if (condition !== undefined) {
      marker.lastIndex = hiddenBlock(text, { condition: condition.trim(), opener: found }, { blocks, problems });
    } else if (bareCondition !== undefined) {
      bare.push({ ...found, isEnd: false, condition: bareCondition.trim() });
    } else if (closing === '>' && !whole.includes('/')) {
      bare.push({ ...found, isEnd: true, condition: '' });
    } else if (whole === '<!--') {
      marker.lastIndex = commentEnd(text, found.start);
    } else {
      closeRevealed(open, found, whole, { blocks, problems });
    }
  }
  const end = { start: text.length, end: text.length };
  for (const { opener } of open) problems.push({ ...opener, kind: 'unclosed', edits: [{ ...end, text: '<!--<![endif]-->' }] });
  return { blocks, problems, bare };
}

type Results = { readonly blocks: ConditionalBlock[]; readonly problems: ConditionProblem[] };

function closeRevealed(open: Opened[], found: Range, whole: string, { blocks, problems }: Results): void {
  const opened = open.pop();
  if (whole.includes('/')) problems.push({ ...found, kind: 'slash', edits: [{ ...found, text: opened ? '<!--<![endif]-->' : '' }] });
  else if (!opened) problems.push({ ...found, kind: 'stray', edits: [{ ...found, text: '' }] });
  if (opened) blocks.push({ ...opened, closer: found, start: opened.opener.start, end: found.end, isRevealed: true, vml: false });
}

/** Reads a comment that only Outlook looks into. Returns where the search goes on. */
function hiddenBlock(text: string, opened: Opened, { blocks, problems }: Results): number {
  const { opener } = opened;
  const close = text.indexOf('-->', opener.end);
  const contentEnd = close < 0 ? text.length : close;
  const content = text.slice(opener.end, contentEnd);
  // The end of the other form, `<!--<![endif]-->`, ends this one too.
  const ending = /(?:<!--\s*)?<!\[endif\]\s*(\/?)\s*$/iu.exec(content);
  const inner = /<!--/u.exec(content.slice(0, ending?.index));
  const closer = ending
    ? { start: opener.end + ending.index, end: contentEnd + 3 }
    : { start: contentEnd, end: Math.min(contentEnd + 3, text.length) };
  if (inner) return commentWithin(text, opened, { start: opener.end + inner.index, end: closer.end }, { blocks, problems });
  if (close < 0) {
    problems.push({ ...opener, kind: 'unclosed', edits: [{ start: text.length, end: text.length, text: '<![endif]-->' }] });
  } else if (!ending) {
    problems.push({ ...opener, kind: 'unclosed', related: closer, edits: [{ start: close, end: close, text: '<![endif]' }] });
  } else if (ending[1]) {
    problems.push({ ...closer, kind: 'slash', related: opener, edits: [{ ...closer, text: '<![endif]-->' }] });
  }
  blocks.push({ ...opened, closer, start: opener.start, end: closer.end, isRevealed: false, vml: drawing.test(content) });
  return closer.end;
}

/** A comment within ends the outer one: nested conditions lose their markers, and a note goes whole. */
function commentWithin(text: string, opened: Opened, inner: Range, { blocks, problems }: Results): number {
  const isCondition = /^<!--\s*(?:\[if\s|<!\[endif\])/iu.test(text.slice(inner.start, inner.start + 40));
  // A block that was not closed runs into the next one.
  const before = text.slice(opened.opener.end, inner.start);
  const outerEnd = /<!\[endif\]-->/giu;
  outerEnd.lastIndex = inner.end;
  const next = outerEnd.exec(text);
  const between = next ? text.slice(inner.end, next.index) : '';
  if (isCondition && (!next || /<!--/u.test(between))) {
    problems.push({
      ...opened.opener,
      kind: 'unclosed',
      related: inner,
      edits: [{ start: inner.start, end: inner.start, text: '<![endif]-->' }],
    });
    blocks.push({
      ...opened,
      closer: { start: inner.start, end: inner.start },
      start: opened.opener.start,
      end: inner.start,
      isRevealed: false,
      vml: drawing.test(before),
    });
    return opened.opener.end + before.length;
  }
  const edits = isCondition ? markersOf(text, inner) : [{ ...inner, text: '' }];
  problems.push({ ...inner, kind: 'nested', related: opened.opener, edits });
  const end = next ? next.index + next[0].length : inner.end;
  const closer = next ? { start: next.index, end } : { start: end, end };
  blocks.push({ ...opened, closer, start: opened.opener.start, end, isRevealed: false, vml: drawing.test(before) });
  return end;
}

/** Edits that take out the two markers of a conditional comment, and leave what is between. */
function markersOf(text: string, { start, end }: Range): ConditionProblem['edits'] {
  const content = text.slice(start, end);
  const opener = /^<!--\s*(?:\[if\s[^\]]*\]>(?:<!-->)?|<!\[endif\]\s*(?:-->)?)/iu.exec(content)?.[0] ?? '';
  const closer = /<!\[endif\]\s*\/?\s*-->$/iu.exec(content);
  const edits = [{ start, end: start + opener.length, text: '' }];
  return closer && closer.index >= opener.length ? [...edits, { start: start + closer.index, end, text: '' }] : edits;
}

function commentEnd(text: string, start: number): number {
  if (text.startsWith('<!-->', start)) return start + 5;
  const close = text.indexOf('-->', start + 2);
  return close < 0 ? text.length : close + 3;
}

/** Whether a condition leaves Outlook for Windows out: `!mso`. */
export function excludesOutlook(condition: string): boolean {
  return condition
    .toLowerCase()
    .replace(/[\s()]/gu, '')
    .split('&')
    .includes('!mso');
}

/** Whether no version of Outlook for Windows shows what only it looks into. */
export const isForNobody = ({ condition, isRevealed }: ConditionalBlock): boolean => !isRevealed && excludesOutlook(condition);
