import type { Range, TextEdit } from '../html/text.ts';
import {
  parseStyleAttribute,
  parseStylesheet,
  type AtRule,
  type StyleDeclaration,
  type SheetRule,
} from '../checks/css.ts';
import { escapeHtml } from '../compose/compose.ts';
import { parseSource, type SourceNode } from '../html/sourceMap.ts';
import type { Piece, Rendered } from '../tags/index.ts';

/** Applies edits and maps the result to the source. If edits overlap, the first one wins. */
export function applyEdits(source: string, edits: readonly TextEdit[]): Rendered {
  const parts: LensPart[] = [];
  let from = 0;
  for (const edit of edits.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    if (edit.start < from) continue;
    if (edit.start > from) parts.push({ start: from, end: edit.start });
    parts.push(edit);
    from = edit.end;
  }
  return assembleParts(source, [...parts, { start: from, end: source.length }]);
}

/** Inserted text with the source range it represents (possibly empty), or a source range that is copied. */
export type LensPart = Range & Partial<TextEdit>;

export function assembleParts(source: string, parts: readonly LensPart[]): Rendered {
  let text = '';
  const pieces = parts.map(({ start: sourceStart, end: sourceEnd, text: inserted }): Piece => {
    const start = text.length;
    text += inserted ?? source.slice(sourceStart, sourceEnd);
    return { start, end: text.length, sourceStart, sourceEnd, kind: inserted === undefined ? 'text' : 'tag' };
  });
  return { text, pieces };
}

/** Describes how a mail client changes styles. */
export interface Restyling {
  /** Returns the value that the client applies, or undefined if the client drops the declaration. */
  readonly mapValue: (declaration: StyleDeclaration, element?: SourceNode) => string | undefined;
  /** Client-specific declarations and their standard CSS equivalents. */
  readonly browserEquivalents?: Readonly<Record<string, string>>;
  readonly keepsSelector?: (selector: string) => boolean;
  readonly keepsAtRule?: (atRule: AtRule) => boolean;
  /** Whether the author wrote the rule for this client. Such rules stay unchanged. */
  readonly isForClient?: (selector: string) => boolean;
}

/** An element that is written in the source, unlike one that the parser implied. */
export type PlacedElement = SourceNode & Required<Pick<SourceNode, 'range' | 'inner'>>;

/** Returns all elements that are written in the source, in document order. */
export function listPlacedElements(html: string): PlacedElement[] {
  const elements: PlacedElement[] = [];
  const visit = (node: SourceNode) => {
    if (isPlaced(node)) elements.push(node);
    node.children.forEach(visit);
  };
  visit(parseSource(html));
  return elements;
}

const isPlaced = (node: SourceNode): node is PlacedElement => node.range !== undefined && node.inner !== undefined;

/** Replaces an attribute, or removes it if `value` is undefined. */
export function createAttributeEdits(element: SourceNode, name: string, value: string | undefined): TextEdit[] {
  const range = element.attributes?.[name];
  return range ? [{ ...range, text: value === undefined ? '' : `${name}="${escapeHtml(value)}"` }] : [];
}

/** Returns the text of a style attribute as the client applies it. */
function restyleAttribute(style: string, restyling: Restyling, element?: SourceNode) {
  return parseStyleAttribute(style)
    .flatMap((declaration) => {
      const equivalent = restyling.browserEquivalents?.[`${declaration.property}:${declaration.value.toLowerCase()}`];
      if (equivalent !== undefined) return [equivalent];
      const value = restyling.mapValue(declaration, element);
      return value === undefined
        ? []
        : [`${declaration.property}:${value}${declaration.important ? ' !important' : ''}`];
    })
    .join(';');
}

/** Returns edits of all style attributes and stylesheets of an email. */
export function restyleElements(html: string, elements: readonly PlacedElement[], restyling: Restyling): TextEdit[] {
  const cache = new Map<string, string>();
  return elements.flatMap((element) => {
    if (element.name === 'style') return restyleStyleElement(html, element, restyling);
    const style = element.attribute('style');
    if (style === undefined) return [];
    // Most elements share their styles with others. Word also reads the width of images.
    const key = `${element.name} ${element.attribute('width') === undefined} ${style}`;
    const restyled = cache.get(key) ?? (restyleAttribute(style, restyling, element) || undefined);
    cache.set(key, restyled ?? '');
    return createAttributeEdits(element, 'style', restyled || undefined);
  });
}

/** Returns edits of a `<style>` element. */
function restyleStyleElement(html: string, { inner }: PlacedElement, restyling: Restyling) {
  const css = html.slice(inner.start, inner.end);
  const edits: TextEdit[] = [];
  const edit = (start: number, end: number, text: string) =>
    void edits.push({ start: start + inner.start, end: end + inner.start, text });
  const { rules, atRules } = parseStylesheet(css);
  const restyle = ({ declarations }: SheetRule | AtRule) => {
    for (const declaration of declarations) {
      const { start, end, valueStart } = declaration;
      const value = restyling.mapValue(declaration);
      if (value === undefined) edit(start, end + (/^\s*;/u.exec(css.slice(end, end + 100))?.[0].length ?? 0), '');
      else if (value !== declaration.value) edit(valueStart, valueStart + declaration.value.length, value);
    }
  };
  for (const atRule of atRules) {
    if (restyling.keepsAtRule?.(atRule) === false) edit(atRule.start, atRule.end, '');
    else restyle(atRule);
  }
  for (const rule of rules) {
    const { selectors } = rule;
    const [from, to] = [selectors[0]?.start ?? rule.start, selectors.at(-1)?.end ?? rule.start];
    if (restyling.isForClient?.(css.slice(from, to))) continue;
    const sentSelectors = selectors.filter(({ text }) => restyling.keepsSelector?.(text) ?? true);
    if (sentSelectors.length === 0) edit(rule.start, rule.end, '');
    else if (sentSelectors.length < selectors.length) edit(from, to, sentSelectors.map(({ text }) => text).join(', '));
    restyle(rule);
  }
  // An edit that contains others replaces them.
  let last = 0;
  return edits
    .sort((one, other) => one.start - other.start || other.end - one.end)
    .filter(({ start, end }) => {
      const isNested = start < last;
      if (!isNested) last = end;
      return !isNested;
    });
}

/** Creates a pattern from names that are separated by whitespace. */
export const createNamePattern = (names: string): RegExp => new RegExp(`^(?:${names.trim().split(/\s+/).join('|')})$`);
