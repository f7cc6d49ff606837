import { t } from '@vscode/l10n';
import { findCommentEnd, findRawTextEnd, findTagEnd, rawTextElements } from '../../email/html/landmarks.ts';
import { ForwardSearch, type Range } from '../../email/html/text.ts';
import { findTextValues, findValues, partName, readAttributes, type PartRule, type Value } from './values.ts';

/** Real emails nest a few. Applying them is recursive. */
const MAX_DEPTH = 100;

const wholeMark =
  /^(?:\/\s*(?<ended>part|slot|orphan)|(?<started>part|slot|orphan)\s*:\s*(?<name>[a-z0-9-]{1,60})(?:\s+(?<list>[^]+))?)$/;
/** What starts like a mark is one, or is damaged. */
const markStart = /^(?:\/\s*(?:part|slot|orphan)\b|(?:part|slot|orphan)\s*:)/;
/** Texts without it have no marks. */
export const anyMark = /<!--\s*(?:\/\s*)?(?:part|slot|orphan)\b/;

export interface PartProblem extends Range {
  readonly rule: PartRule;
  readonly message: string;
}

/** A comment that starts or ends a part, a slot, or the content of a slot that the part no longer has. */
interface Mark extends Range {
  /** Undefined for a damaged mark. */
  readonly kind: 'part' | 'slot' | 'orphan' | undefined;
  /** Empty for a mark that ends something. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly values: readonly Value[];
}

/** Two marks with their content. */
export interface Marked extends Mark {
  /** Range of the content. */
  readonly inner: Range;
  /** In order. They don't overlap. */
  readonly children: (Marked | Value)[];
  /** The slots and orphans of a part, in order. */
  readonly slots: Marked[];
  /** The part that a slot belongs to. A slot inside the slot of a part belongs to the part around that one. */
  readonly owner: Marked | undefined;
  /** The part that slots inside belong to, and the one that slots inside those belong to. */
  readonly scope: Scope | undefined;
  /** Whether a problem is anywhere between these marks. */
  hasProblem: boolean;
  /** Whether a problem is directly between these marks, so that slots may be missing. */
  isBroken: boolean;
  /** Whether a slot contains a slot of a part around its own part. */
  isPassing: boolean;
}

interface Scope {
  readonly part: Marked;
  readonly outer: Scope | undefined;
}

/**
 * Reads the parts and slots of a text. Takes linear time.
 * @param isPart whether it is the text of a part, with `[[attribute]]` and without orphans
 */
export function parseMarks(
  text: string,
  isPart: boolean,
): { readonly children: Marked['children']; readonly problems: readonly PartProblem[] } {
  const tokens = isPart || anyMark.test(text) ? readMarks(text, isPart) : [];
  const ends = pairMarks(tokens);
  const problems: PartProblem[] = [];
  const slotNames = new Map<Marked, Set<string>>();
  const whole = { start: 0, end: 0, kind: 'part', name: '', attributes: {}, values: [] } as const;
  const root = createMarked(whole, { start: text.length, end: Infinity }, undefined);
  const open = [root];
  const report = (mark: Mark, message: string, broken?: Marked) => {
    problems.push({ rule: 'part-broken', start: mark.start, end: mark.end, message });
    for (const node of open) node.hasProblem = true;
    if (broken) broken.isBroken = true;
  };
  /** Ends of marks that are nested too deep. */
  const ignored = new Set<Mark>();
  for (const token of tokens) {
    const parent = open.at(-1) ?? root;
    const end = 'where' in token ? undefined : ends.get(token);
    if ('where' in token) parent.children.push(token);
    else if (parent.end === token.end) open.pop();
    else if (end === undefined && !ignored.has(token)) report(token, describeStray(token), parent);
    else if (end !== undefined && open.length > MAX_DEPTH) {
      ignored.add(end);
      report(token, t`Parts are nested more than ${MAX_DEPTH} levels deep.`, parent);
    } else if (end !== undefined) {
      const node = createMarked(token, end, parent.scope);
      parent.children.push(node);
      const { owner, kind, name } = node;
      if (owner) {
        const names = slotNames.get(owner) ?? new Set();
        if (kind === 'slot' && names.size === names.add(name).size)
          report(token, t`The part has the slot "${name}" twice.`, owner);
        slotNames.set(owner, names);
        owner.slots.push(node);
        for (const slot of open.slice(open.indexOf(owner))) slot.isPassing = slot.kind !== 'part';
      }
      if (kind !== 'part' && (!owner || owner === root))
        report(token, t('This slot is outside of a part. Remove its marks, or put a part around it.'));
      if (kind === 'orphan' && isPart)
        report(token, t('The text of a part has no orphans. Remove this one, or make it a slot.'));
      open.push(node);
    }
  }
  return { children: root.children, problems };
}

function createMarked(mark: Mark, end: Range, scope: Scope | undefined): Marked {
  const isPart = mark.kind === 'part';
  const inner = { start: mark.end, end: end.start };
  const lists = { children: [], slots: [] };
  const flags = { hasProblem: false, isBroken: false, isPassing: false };
  const node = { ...mark, end: end.end, inner, ...lists, ...flags, owner: isPart ? undefined : scope?.part };
  const marked: Marked = Object.assign(node, { scope: scope?.outer });
  return isPart ? Object.assign(marked, { scope: { part: marked, outer: scope } }) : marked;
}

function describeStray({ kind, name }: Mark) {
  if (kind === undefined)
    return t`This mark is damaged. Write it as ${'<!-- part: name attribute="value" -->'} or ${'<!-- slot: name -->'}, with a-z, 0-9 and hyphens in names.`;
  return name === ''
    ? t('This mark ends nothing: its start is missing.')
    : t`This mark has no end. Add ${`<!-- /${kind} -->`}, or remove the mark.`;
}

/** Returns the ends of the marks that have one. A mark ends the last one of its kind, and those in it that aren't ended have no end. */
function pairMarks(tokens: readonly (Mark | Value)[]) {
  const ends = new Map<Mark, Mark>();
  const open: Mark[] = [];
  const counts = { part: 0, slot: 0, orphan: 0 };
  for (const token of tokens) {
    if ('where' in token || token.kind === undefined) continue;
    if (token.name !== '') {
      counts[token.kind] += 1;
      open.push(token);
    } else if (counts[token.kind] > 0) {
      let last = open.pop();
      for (; last?.kind && last.kind !== token.kind; last = open.pop()) counts[last.kind] -= 1;
      counts[token.kind] -= 1;
      if (last) ends.set(last, token);
    }
  }
  return ends;
}

/** The start of a comment, a declaration, or a tag with its name. */
const markup = /<(?:!--|[!?]|\/(?![a-z])|(\/?[a-z][^\s/>]*))/gi;

/**
 * Reads the marks in order, and what `parseMarks` calls values. Marks in stylesheets, scripts, attributes and other comments are text.
 * @param isCondition whether it is the content of a conditional comment, which has no marks
 */
export function readMarks(text: string, isPart: boolean, isCondition = false): readonly (Mark | Value)[] {
  const tokens: (Mark | Value)[] = [];
  const conditions = new ForwardSearch(text, /<!\[endif\]-->|<!--\[if\b/gi);
  let [at, hiddenEnd] = [0, 0];
  const skip = (end: number, element?: string) => {
    if (isPart && element !== undefined) tokens.push(...findTextValues(text, { start: at, end }, element));
    at = end;
  };
  const readComment = (start: number) => {
    const source = text.slice(start, at);
    const [condition] = /^<!--\[if\b[^\]]*\]>/i.exec(source) ?? [];
    if (condition === undefined) return void tokens.push(...readMark(source, start, isPart));
    const inner = start + condition.length;
    if (isPart)
      for (const value of readMarks(text.slice(inner, at - 3), true, true))
        tokens.push({ ...value, start: value.start + inner, end: value.end + inner });
    // Authors expect a comment in code for Outlook to be a part of it, though it ends it.
    const comment = source.indexOf('<!--', 4);
    if (comment < 0 || /^[\s>-]*$|<!\[endif\]-->$/i.test(source.slice(comment + 4))) return;
    const next = conditions.from(at);
    if (next && text.startsWith('<![', next.start)) hiddenEnd = next.end;
    // Code that a part doesn't end would end in the text after it.
    else if (!next && isPart) hiddenEnd = Infinity;
  };
  markup.lastIndex = 0;
  for (let match = markup.exec(text); match; markup.lastIndex = at, match = markup.exec(text)) {
    const { index: start, 0: opening, 1: name } = match;
    const nameEnd = start + opening.length;
    skip(start, '');
    if (opening === '<!--') {
      skip(findCommentEnd(text, start));
      if (!isCondition && start >= hiddenEnd) readComment(start);
    } else if (name === undefined) skip(text.indexOf('>', nameEnd) + 1 || text.length);
    else {
      skip(findTagEnd(text, nameEnd));
      const element = name.toLowerCase();
      if (isPart) tokens.push(...findValues(text.slice(nameEnd, at - 1), nameEnd, element.includes('[[')));
      if (rawTextElements.has(element)) skip(findRawTextEnd(text, element, at), element);
    }
  }
  skip(text.length, '');
  return tokens;
}

/** Reads a comment. Returns a list without a mark for any other comment. */
export function readMark(source: string, start: number, isPart: boolean): readonly Mark[] {
  const isClosed = /^<!--[^]*-->$/.test(source);
  const content = source.slice(4, isClosed ? -3 : undefined).trim();
  if (!source.startsWith('<!--') || !markStart.test(content)) return [];
  const { ended, started, name = '', list } = (isClosed && wholeMark.exec(content)?.groups) || {};
  const attributes = list === undefined ? [] : readAttributes(list);
  const isDamaged =
    !attributes?.every((each) => partName.test(each.name)) || (list !== undefined && started !== 'part');
  return [
    {
      start,
      end: start + source.length,
      kind: isDamaged ? undefined : ((ended ?? started) as Mark['kind']),
      name,
      attributes: Object.fromEntries((attributes ?? []).map((each) => [each.name, each.value])),
      values: isPart && list ? findValues(list, start + source.lastIndexOf(list)) : [],
    },
  ];
}
