import { t } from '../../l10n.ts';
import { phpTrim } from '../html/stripTags.ts';
import { LimitExceeded } from './model.ts';
import type { MatchableElement } from './selectorMatcher.ts';
import { collectElements, getText, type ElementNode } from './tree.ts';

/** Values by property, including `!important`. A later value replaces an earlier one. */
type Declarations = ReadonlyMap<string, string>;

/** An element while rules are added to its style attribute. */
export class StyledElement implements MatchableElement<StyledElement> {
  readonly node: ElementNode;
  readonly order: number;
  lastOrder: number;
  readonly parent: StyledElement | undefined;
  readonly previous: StyledElement | undefined;
  readonly children: StyledElement[] = [];
  /** Number of children with each name. */
  readonly childCounts = new Map<string, number>();
  readonly classes: ReadonlySet<string>;
  /** The author's own style, which is merged last and wins. */
  ownStyle?: Declarations;
  ruleStyle?: Declarations;
  #isEmpty?: boolean;

  constructor(node: ElementNode, order: number, parent: StyledElement | undefined) {
    this.node = node;
    this.order = this.lastOrder = order;
    this.parent = parent;
    this.previous = parent?.children.at(-1);
    this.classes = new Set((node.attributes.get('class') ?? '').split(/[ \t\r\n]+/).filter(Boolean));
    parent?.children.push(this);
    parent?.childCounts.set(node.name, (parent.childCounts.get(node.name) ?? 0) + 1);
  }

  get name(): string {
    return this.node.name;
  }

  get isEmpty(): boolean {
    return (this.#isEmpty ??= this.node.children.every((child) => child.kind !== 'element' && getText(child) === ''));
  }

  get(attribute: string): string | undefined {
    const value = this.node.attributes.get(attribute);
    if (value === undefined && attribute === 'style') return this.ruleStyle && writeStyle(this.ruleStyle);
    return value === null ? '' : value;
  }
}

/** Returns the element and its descendants in document order. */
export function listStyledElements(root: ElementNode): StyledElement[] {
  const elements = new Map<ElementNode, StyledElement>();
  for (const node of collectElements([root]))
    elements.set(node, new StyledElement(node, elements.size, node.parent && elements.get(node.parent)));
  const all = [...elements.values()];
  for (const { parent, lastOrder } of all.toReversed())
    if (parent) parent.lastOrder = Math.max(parent.lastOrder, lastOrder);
  return all;
}

/** Splits at every `;`, even in strings, except in `data:` URLs. */
export function parseStyle(text: string): Declarations {
  const declarations = new Map<string, string>();
  for (const declaration of text.split(/;(?!base64|charset)/)) {
    const match = /^([A-Za-z-]+)[ \t\n\v\f\r]*:[ \t\n\v\f\r]*([^]+)$/.exec(phpTrim(declaration));
    if (match) declarations.set(toLowerCaseProperty(match[1] ?? ''), match[2] ?? '');
  }
  return declarations;
}

const toLowerCaseProperty = (property: string) => (property.startsWith('--') ? property : property.toLowerCase());

/** Lowercases property names and any other word before a colon. */
function normalizeNames(style: string) {
  return style.replace(/(?<![\w-])[\w-]+(?=:)/g, (word) => word.replace(/-{0,2}[_a-zA-Z][\w-]*$/, toLowerCaseProperty));
}

function writeStyle(declarations: Declarations) {
  return [...declarations].map(([property, value]) => `${toLowerCaseProperty(property)}: ${phpTrim(value)};`).join(' ');
}

const importantPattern = /(?<![ \t\n\v\f\r])[ \t\n\v\f\r]*![ \t\n\v\f\r]*important$/i;

/** Appends newer declarations, unless they would override an important one. */
function mergeStyles(older: Declarations, newer: Declarations) {
  const merged = new Map(older);
  for (const [property, value] of newer) {
    if (importantPattern.test(older.get(property) ?? '') && !importantPattern.test(value)) continue;
    merged.delete(property);
    merged.set(property, value);
  }
  return merged;
}

/** Moves important declarations to the end and removes `!important`. */
function resolveImportant(declarations: Declarations) {
  const groups = Map.groupBy(declarations, ([, value]) => importantPattern.test(value));
  const important = groups.get(true) ?? [];
  return new Map([
    ...(groups.get(false) ?? []),
    ...important.map(([property, value]) => [property, value.replace(importantPattern, '')] as const),
  ]);
}

/** Adds rules to the style attributes of elements. */
export class Styling {
  readonly #elements: readonly StyledElement[];
  #budget: number;

  constructor(elements: readonly StyledElement[], budget: number) {
    this.#elements = elements;
    this.#budget = budget;
    // Most elements share their styles with others.
    for (const [style, sharing] of Map.groupBy(elements, ({ node }) => node.attributes.get('style'))) {
      if (style === undefined) continue;
      const own = parseStyle(normalizeNames(style ?? ''));
      for (const element of sharing) {
        element.ownStyle = own;
        element.node.attributes.delete('style');
      }
    }
  }

  add(elements: readonly StyledElement[], declarations: Declarations): void {
    if (declarations.size === 0) return;
    this.#spend(elements.length);
    for (const [before, sharing] of Map.groupBy(elements, ({ ruleStyle }) => ruleStyle)) {
      if (before) this.#spend(before.size + declarations.size);
      const merged = before ? mergeStyles(before, declarations) : declarations;
      for (const element of sharing) element.ruleStyle = merged;
    }
  }

  #spend(budget: number) {
    if ((this.#budget -= budget) < 0)
      throw new LimitExceeded(t('The styles have too many declarations for so many elements.'));
  }

  /** Writes the style attributes. */
  finish(): void {
    const none: Declarations = new Map();
    for (const [added, styled] of Map.groupBy(this.#elements, ({ ruleStyle }) => ruleStyle))
      for (const [own, sharing] of Map.groupBy(styled, ({ ownStyle }) => ownStyle)) {
        if (!own && !added) continue;
        this.#spend(sharing.length * ((own?.size ?? 0) + (added?.size ?? 0)));
        const style = writeStyle(resolveImportant(mergeStyles(added ?? none, own ?? none)));
        for (const { node } of sharing) node.attributes.set('style', style);
      }
  }
}
