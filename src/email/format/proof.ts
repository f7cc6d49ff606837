import type { DefaultTreeAdapterTypes } from 'parse5';
import { parseHtml } from '../html/parseHtml.ts';
import { applyEdits, type TextEdit } from '../html/text.ts';
import { composeSent, type Sent, type SentOptions } from '../sent/index.ts';
import { isAuthorComment, preservesSpace, type Part } from './parts.ts';

type Node = DefaultTreeAdapterTypes.Node;

/** An email as sent, without stylesheets. */
interface Composed extends Sent {
  readonly document: Node;
}

/** Finds the edits that change nothing but white space and comments as sent. */
export class Proof {
  readonly before: Composed;
  readonly #body: string;
  readonly #parts: readonly Part[];
  readonly #profile: SentOptions['profile'];

  constructor(body: string, parts: readonly Part[], profile: SentOptions['profile']) {
    this.#body = body;
    this.#parts = parts;
    this.#profile = profile;
    this.before = this.#compose(body);
  }

  #compose(body: string): Composed {
    const sent = composeSent({ body }, { profile: this.#profile, isUnstyled: true });
    return { ...sent, document: parseHtml(sent.html).document };
  }

  /** Each attempt leaves out the edits around a difference, then those around its parents. */
  filterEdits<Edit extends TextEdit>(all: readonly Edit[]): readonly Edit[] {
    let edits = all;
    for (let level = 0; edits.length > 0; level += 1) {
      const place = findDifference(this.before, this.#compose(applyEdits(this.#body, edits)));
      if (!place) break;
      const { name, ordinal } = place[level] ?? { name: '', ordinal: 0 };
      const element = this.#parts.filter((part) => part.token && part.name === name)[ordinal - 1];
      edits = element ? edits.filter(({ start, end }) => end < element.start || start > element.elementEnd) : [];
    }
    return edits;
  }
}

/** An element and those around it, as the ordinals of their names. */
type Place = readonly { readonly name: string; readonly ordinal: number }[];

/** Returns where two emails differ, the innermost element first. Empty: in the text part. */
function findDifference(before: Composed, after: Composed): Place | undefined {
  const place = compareNodes(before.document, after.document, new Map());
  return place ?? (trimLines(before.text) === trimLines(after.text) ? undefined : []);
}

const collapse = (text: string) => text.replace(/[ \t\r\n\f]+/g, ' ').replace(/^ | $/g, '');

const trimLines = (text: string) =>
  text
    .replace(/(?<![ \t])[ \t]*\n[ \t]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

function getChildren(node: Node, isPreserved: boolean) {
  const children = 'content' in node ? node.content.childNodes : 'childNodes' in node ? node.childNodes : [];
  return children.filter((child) => {
    if ('data' in child) return !isAuthorComment(child.data);
    return isPreserved || !('value' in child) || /[^ \t\r\n\f]/.test(child.value);
  });
}

/** Recursion is safe: trees are at most 500 levels deep. */
function compareNodes(
  before: Node,
  after: Node | undefined,
  counts: Map<string, number>,
  isInPreserved = false,
): Place | undefined {
  const own = { name: before.nodeName, ordinal: (counts.get(before.nodeName) ?? 0) + 1 };
  counts.set(own.name, own.ordinal);
  if (!after || !isSameNode(before, after, isInPreserved)) return [own];
  const isPreserved = isInPreserved || ('attrs' in before && preservesSpace(before.tagName, before.attrs));
  const [children, others] = [getChildren(before, isPreserved), getChildren(after, isPreserved)];
  for (const [index, child] of children.entries()) {
    const place = compareNodes(child, others[index], counts, isPreserved);
    if (place) return [...place, own];
  }
  return others.length === children.length ? undefined : [own];
}

const isSameText = (one: string, other: string) => one === other || collapse(one) === collapse(other);

function isSameNode(one: Node, other: Node, isInPreserved: boolean) {
  if ('value' in one)
    return 'value' in other && (isInPreserved ? one.value === other.value : isSameText(one.value, other.value));
  if ('data' in one) return 'data' in other && isSameText(one.data, other.data);
  if (!('attrs' in one)) return one.nodeName === other.nodeName;
  return (
    'attrs' in other &&
    one.tagName === other.tagName &&
    one.attrs.length === other.attrs.length &&
    one.attrs.every(({ name, value }, index) => {
      const attribute = other.attrs[index];
      const withSpaces = (style = '') => style.replaceAll(';', '; ');
      if (attribute?.name !== name) return false;
      return (
        attribute.value === value || (name === 'style' && isSameText(withSpaces(attribute.value), withSpaces(value)))
      );
    })
  );
}
