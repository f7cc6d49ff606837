import { escapeHtml } from '../email/compose.ts';
import { parseSource } from '../email/sourceMap.ts';
import type { SourceNode } from '../email/sourceMap.ts';
import type { TextEdit } from '../tags/index.ts';
import { parted, readDeclarations, readSheet } from './css.ts';
import type { AtRule, CssItem, Declaration } from './css.ts';

/** How a client treats what styles say. */
export interface Restyling {
  /** What becomes of a value: another one, or undefined where the client drops it. */
  readonly value: (declaration: Declaration, element?: SourceNode) => string | undefined;
  /** Declarations that only this client knows, and what they do, in words of a browser. */
  readonly own?: Readonly<Record<string, string>>;
  readonly keepsSelector?: (selector: string) => boolean;
  readonly keepsAtRule?: (atRule: AtRule) => boolean;
  /** Rules that are the author's own word for this client: they stay as they are. */
  readonly isMeant?: (selector: string) => boolean;
}

/** An element that stands in the source, and whether it is in the body. */
export interface PlacedElement extends SourceNode {
  readonly range: NonNullable<SourceNode['range']>;
  readonly inner: NonNullable<SourceNode['inner']>;
}

/** All elements that stand in the source, in the order of the document. */
export function elementsOf(html: string): PlacedElement[] {
  const found: PlacedElement[] = [];
  const waiting: SourceNode[] = [parseSource(html)];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (isPlaced(node)) found.push(node);
    for (let index = node.children.length - 1; index >= 0; index -= 1) waiting.push(node.children[index] as SourceNode);
  }
  return found;
}

function isPlaced(node: SourceNode): node is PlacedElement {
  return node.range !== undefined && node.inner !== undefined;
}

/** Another value of an attribute; undefined takes it away. */
export function attributeEdit(element: SourceNode, name: string, value: string | undefined, more = ''): TextEdit[] {
  const range = element.attributes?.[name];
  return range ? [{ ...range, text: (value === undefined ? '' : `${name}="${escapeHtml(value)}"`) + more }] : [];
}

/** The text of a style attribute as the client has it. */
export function restyledAttribute(style: string, restyling: Restyling, element?: SourceNode): string {
  return readDeclarations(style)
    .flatMap((declaration) => {
      const own = restyling.own?.[`${declaration.name}:${declaration.value.trim().toLowerCase()}`];
      if (own !== undefined) return [own];
      const value = restyling.value(declaration, element);
      return value === undefined ? [] : [`${declaration.name}:${value}`];
    })
    .join(';');
}

/** Edits of all style attributes and all style sheets of an e-mail. */
export function restyled(html: string, elements: readonly PlacedElement[], restyling: Restyling): TextEdit[] {
  const known = new Map<string, string>();
  return elements.flatMap((element) => {
    if (element.name === 'style') return restyledSheet(html.slice(element.inner.start, element.inner.end), element.inner.start, restyling);
    const style = element.attribute('style');
    if (style === undefined) return [];
    // Most elements have the styles of others.
    const key = `${element.name} ${style}`;
    const made = known.get(key) ?? (restyledAttribute(style, restyling, element) || undefined);
    known.set(key, made ?? '');
    return attributeEdit(element, 'style', made || undefined);
  });
}

/** Edits of a stylesheet that begins at an offset. */
export function restyledSheet(css: string, offset: number, restyling: Restyling): TextEdit[] {
  const edits: TextEdit[] = [];
  const edit = (start: number, end: number, text: string): void => void edits.push({ start: start + offset, end: end + offset, text });
  const visit = (item: CssItem): void => {
    if (item.kind === 'at' && restyling.keepsAtRule?.(item) === false) return edit(item.start, item.end, '');
    if (item.kind === 'rule') {
      if (restyling.isMeant?.(item.prelude)) return;
      const selectors = parted(item.prelude);
      const kept = restyling.keepsSelector ? selectors.filter(restyling.keepsSelector) : selectors;
      if (kept.length === 0) return edit(item.start, item.end, '');
      if (kept.length < selectors.length) edit(item.start, item.start + item.prelude.trimEnd().length, kept.join(', '));
    } else item.items.forEach(visit);
    for (const declaration of item.declarations) {
      const value = restyling.value(declaration);
      if (value === undefined) edit(declaration.start, declaration.end, '');
      else if (value !== declaration.value) edit(declaration.valueStart, declaration.valueEnd, value);
    }
  };
  readSheet(css).forEach(visit);
  return edits;
}

/** Whether an element lies in another, by their places. */
export const isWithin = (inner: PlacedElement, outer: PlacedElement): boolean =>
  outer.range.start < inner.range.start && inner.range.end <= outer.range.end;
