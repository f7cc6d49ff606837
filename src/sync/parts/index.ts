import { t } from '@vscode/l10n';
import { formatNumber } from '../../l10n.ts';
import { applyEdits, byStart, type Range, type TextEdit } from '../../email/html/text.ts';
import { parseMarks, readMark, readMarks, type Marked, type PartProblem } from './marks.ts';
import { fillValue, PartError } from './values.ts';

/*
 * Linked parts: the text between `<!-- part: name -->` and `<!-- /part -->` is that of the part, except for the content between
 * `<!-- slot: name -->` and `<!-- /slot -->`.
 */

export interface Part extends Range {
  readonly name: string;
  readonly attributes: Record<string, string>;
  /** With the ranges of their content. */
  readonly slots: (Range & { readonly name: string; readonly text: string })[];
  /** The parts inside, in order. */
  readonly parts: Part[];
}

/** Parts may contain parts that contain parts. */
const MAX_PART_DEPTH = 20;
/** As many characters as a file may have. */
const MAX_WRITTEN_CHARS = 10 * 1024 * 1024;
/** What writing a part costs besides its characters. */
const CHARS_PER_PART = 100;

/** Returns the outermost parts of a text. Never throws. Takes linear time. */
export function readParts(text: string): Part[] {
  const toPart = ({ name, start, end, attributes, slots, children }: Marked): Part => ({
    name,
    start,
    end,
    attributes: { ...attributes },
    slots: slots.flatMap(({ kind, name: slot, inner }) =>
      kind === 'slot' ? { name: slot, ...inner, text: text.slice(inner.start, inner.end) } : [],
    ),
    parts: findParts(children).map(toPart),
  });
  return findParts(parseMarks(text, false).children).map(toPart);
}

const findParts = (children: Marked['children']): readonly Marked[] =>
  children.flatMap((child) => ('where' in child ? [] : child.kind === 'part' ? child : findParts(child.children)));

/**
 * Replaces the parts in a text by their current texts, and keeps the content of their slots. What can't be applied stays as it is, with a
 * problem. Never throws. Takes bounded time.
 * @param parts the texts of parts by name
 */
export function applyParts(
  text: string,
  parts: Readonly<Record<string, string>>,
): { text: string; problems: { message: string; start: number; end: number }[] } {
  const { text: applied, problems } = new Application(text, parts).run();
  return { text: applied, problems: problems.map(({ message, start, end }) => ({ message, start, end })) };
}

/** Removes all marks from a text. */
export const stripParts = (text: string): string => applyEdits(text, readMarks(text, false));

/** The text of a part with its marks around it. */
interface Definition {
  readonly source: string;
  readonly part: Marked;
}

/** The text of a part while it is written for one use. */
interface Frame {
  readonly source: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly contents: Contents;
  /** Path of the use: empty for one in the applied text, `layout.0/` for one in the text of a part. */
  readonly path: string;
  /** The part and those around it. */
  readonly names: readonly string[];
  /** Slots that the text of another part fills, and that text. */
  readonly filled: ReadonlyMap<string, Marked>;
  readonly outer?: Frame;
}

/** The slots in the applied text by their paths. What was written is removed. */
class Contents {
  readonly slots = new Map<string, Marked>();
  readonly #counts = new Map<string, number>();

  /** Returns the path of the next use of a part. */
  nextPath(path: string): string {
    const count = this.#counts.get(path) ?? 0;
    this.#counts.set(path, count + 1);
    return `${path}.${count}/`;
  }

  take(path: string): Marked | undefined {
    const slot = this.slots.get(path);
    this.slots.delete(path);
    return slot;
  }
}

/** A part that is out of date: the range of its content, and the content that it should have. */
export interface PartChange extends TextEdit {
  readonly part: Marked;
}

/** Applies parts to one text. Writes the content of each of its slots once. */
export class Application {
  readonly #text: string;
  readonly #parts: Readonly<Record<string, string>>;
  readonly #problems: PartProblem[] = [];
  readonly #definitions = new Map<string, Definition>();
  /** The content of slots with the parts in it applied. */
  readonly #contents = new Map<Marked, string>();
  /** Inner parts come before those around them. */
  #changes: PartChange[] = [];
  #remainingChars = MAX_WRITTEN_CHARS;

  constructor(text: string, parts: Readonly<Record<string, string>>) {
    this.#text = text;
    this.#parts = parts;
  }

  run(): { text: string; problems: PartProblem[]; changes: readonly PartChange[]; children: Marked['children'] } {
    const { children, problems } = parseMarks(this.#text, false);
    const applied = this.#applyAll(children, { start: 0, end: this.#text.length });
    // With some of the parts, applying again could have another result.
    const [text, changes] = this.#remainingChars < 0 ? [this.#text, []] : [applied, this.#changes];
    return { text, problems: [...problems, ...this.#problems].sort(byStart), changes, children };
  }

  #applyAll(children: Marked['children'], { start, end }: Range): string {
    let result = '';
    let at = start;
    for (const child of children) {
      if ('where' in child) continue;
      const content = child.kind === 'part' ? this.#applyPart(child) : this.#applyContent(child);
      result += this.#text.slice(at, child.inner.start) + content + this.#text.slice(child.inner.end, child.end);
      at = child.end;
    }
    return result + this.#text.slice(at, end);
  }

  #applyContent(slot: Marked) {
    const content = this.#contents.get(slot) ?? this.#applyAll(slot.children, slot.inner);
    this.#contents.set(slot, content);
    return content;
  }

  /** Returns the content of a part. If it can't be applied, the parts in it are applied on their own. */
  #applyPart(part: Marked): string {
    if (this.#remainingChars < 0) return '';
    const changeCount = this.#changes.length;
    try {
      const contents = collectContents(part);
      if (contents) {
        const text = this.#replace(part, contents);
        if (text !== this.#updateInside(part, changeCount)) this.#changes.push({ part, ...part.inner, text });
        return text;
      }
    } catch (error) {
      if (!(error instanceof PartError)) throw error;
      this.#problems.push({ rule: error.rule, message: error.message, start: part.start, end: part.inner.start });
    }
    return this.#applyAll(part.children, part.inner);
  }

  /** Returns the content of a part with the changes of the parts in it, which are the last ones. */
  #updateInside({ inner }: Marked, changeCount: number) {
    const edits: TextEdit[] = [];
    for (const change of this.#changes.slice(changeCount).sort(byStart)) {
      const start = change.start - inner.start;
      if (start >= (edits.at(-1)?.end ?? 0)) edits.push({ start, end: change.end - inner.start, text: change.text });
    }
    return applyEdits(this.#text.slice(inner.start, inner.end), edits);
  }

  #replace(part: Marked, contents: Contents) {
    const { name, attributes } = part;
    const names = [name];
    const { source, part: definition } = this.#define(names);
    const written = this.#write(definition, { source, attributes, contents, path: '', names, filled: new Map() });
    const left = [...contents.slots.values()].filter((slot) => slot.owner === part || !this.#isDefault(slot));
    const orphans = left.map((slot) => {
      const message = t`Part "${name}" has no slot "${slot.name}" anymore. Recipients see its content at the end of the part until you move or delete it.`;
      if (slot.kind === 'slot' && slot.hasProblem)
        throw new PartError(
          t`Part "${name}" has no slot "${slot.name}" anymore. Correct the marks in its content first.`,
          'slot-missing',
        );
      return {
        rule: 'slot-missing' as const,
        message,
        start: slot.start,
        end: slot.inner.start,
        text: `<!-- orphan: ${slot.name} -->${this.#applyContent(slot)}<!-- /orphan -->`,
      };
    });
    for (const { text: _, ...problem } of orphans) this.#problems.push(problem);
    return written + orphans.map(({ text }) => text).join('');
  }

  /** Returns whether a slot has the default content of its part. */
  #isDefault({ kind, name, owner, inner }: Marked) {
    if (kind !== 'slot' || !owner || !Object.hasOwn(this.#parts, owner.name)) return false;
    const { source, part } = this.#define([owner.name]);
    const range = part.slots.find((slot) => slot.name === name)?.inner;
    return range && source.slice(range.start, range.end) === this.#text.slice(inner.start, inner.end);
  }

  /** Writes the content of a part or a slot, or the mark of a part, for one use. */
  #write({ children, inner }: Pick<Marked, 'children' | 'inner'>, frame: Frame): string {
    const { source, attributes } = frame;
    let result = '';
    let at = inner.start;
    for (const child of children) {
      result += source.slice(at, child.start);
      at = child.end;
      if ('where' in child) {
        const value = fillValue(source.slice(child.start, at), child.where, attributes);
        this.#charge(value.length);
        result += value;
      } else if (child.kind === 'part') result += this.#writePart(child, frame);
      else {
        result += source.slice(child.start, child.inner.start);
        result += this.#writeSlot(child, frame) + source.slice(child.inner.end, at);
      }
    }
    return result + source.slice(at, inner.end);
  }

  #writeSlot(slot: Marked, frame: Frame): string {
    const { filled, outer, contents, path } = frame;
    const given = filled.get(slot.name);
    // It contains slots of the outer text, whose content is kept.
    if (given?.isPassing && outer) return this.#write(given, outer);
    const content = contents.take(path + slot.name);
    if (content) return this.#applyContent(content);
    // The parts in this content are not counted: in the applied text, they are in a slot.
    return this.#write(given ?? slot, { ...((given && outer) ?? frame), contents: new Contents() });
  }

  #writePart(part: Marked, frame: Frame): string {
    const { source, contents } = frame;
    const { name, start, end, inner, slots, values } = part;
    const path = contents.nextPath(frame.path + name);
    const names = [...frame.names, name];
    const { source: text, part: definition } = this.#define(names);
    const missing = slots.find((slot) => definition.slots.every((each) => each.name !== slot.name));
    if (missing)
      throw new PartError(
        t`mailing-parts/${frame.names.at(-1) ?? ''}.html fills a slot "${missing.name}" that part "${name}" doesn't have.`,
      );
    const mark = this.#write({ children: [...values], inner: { start, end: inner.start } }, frame);
    const attributes = readMark(mark, 0, false)[0]?.attributes ?? {};
    const filled = new Map(slots.map((slot) => [slot.name, slot]));
    const written = this.#write(definition, { source: text, attributes, contents, path, names, filled, outer: frame });
    return mark + written + source.slice(inner.end, end);
  }

  #charge(chars: number) {
    this.#remainingChars -= chars;
    if (this.#remainingChars < 0)
      throw new PartError(
        t`Nothing was changed: with all parts, the text would have more than ${formatNumber(MAX_WRITTEN_CHARS)} characters.`,
      );
  }

  /**
   * Returns the text of a part.
   * @param names its name, after those of the parts around it
   * @throws `PartError` if it can't be applied
   */
  #define(names: readonly string[]): Definition {
    const name = names.at(-1) ?? '';
    const text = Object.hasOwn(this.#parts, name) ? this.#parts[name] : undefined;
    if (text === undefined)
      throw new PartError(t`There is no part "${name}". Create mailing-parts/${name}.html.`, 'part-unknown');
    if (names.indexOf(name) < names.length - 1) throw new PartError(t`A part contains itself: ${names.join(' > ')}.`);
    if (names.length > MAX_PART_DEPTH)
      throw new PartError(t`Parts are nested more than ${MAX_PART_DEPTH} levels deep.`);
    this.#charge(text.length + CHARS_PER_PART);
    const definition = this.#definitions.get(name) ?? readDefinition(name, text);
    this.#definitions.set(name, definition);
    return definition;
  }
}

/** Returns the slots of a part, and those of the parts that its text contains. Returns undefined if marks are missing. */
function collectContents(part: Marked): Contents | undefined {
  interface Level {
    readonly path: string;
    readonly outer?: Level;
  }
  const contents = new Contents();
  const paths = new Contents();
  const orphans: Marked[] = [];
  const collect = ({ children, isBroken }: Marked, level: Level): boolean =>
    !isBroken &&
    children.every((child) => {
      if ('where' in child) return true;
      const path = level.path + child.name;
      if (child.kind === 'part') return collect(child, { path: paths.nextPath(path), outer: level });
      if (child.isPassing && level.outer) return collect(child, level.outer);
      if (child.kind === 'orphan') orphans.push(child);
      else contents.slots.set(path, child);
      return true;
    });
  if (!collect(part, { path: '' })) return undefined;
  // With a mark too many, the content of an orphan could end a slot.
  for (const [index, orphan] of orphans.entries()) {
    const isFree = !orphan.hasProblem && !contents.slots.has(orphan.name);
    contents.slots.set(isFree ? orphan.name : `${orphan.name} ${index}`, orphan);
  }
  return contents;
}

/** @throws `PartError` if the text can't be applied */
function readDefinition(name: string, text: string): Definition {
  const start = `<!-- part: ${name} -->`;
  const source = `${start}${text}<!-- /part -->`;
  const { children, problems } = parseMarks(source, true);
  const [part] = children;
  const isWhole = part && !('where' in part) && part.end === source.length;
  const problem = isWhole
    ? problems[0]
    : { start: start.length, message: t('A tag, a comment or a mark has no end, or a mark no start.') };
  if (isWhole && !problem) return { source, part };
  const line = source.slice(start.length, problem?.start).split(/\r\n?|\n/).length;
  throw new PartError(`mailing-parts/${name}.html:${line}: ${problem?.message}`);
}
