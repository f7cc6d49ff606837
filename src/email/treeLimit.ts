import { defaultTreeAdapter, parse, type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, type TreeAdapter } from 'parse5';
import { nestsTooDeep } from './nesting.ts';

export interface TreeLimits {
  /** Elements within each other. */
  readonly depth: number;
  /** Elements, with those that the parser makes by itself. */
  readonly elements: number;
}

class LimitReached extends Error {
  readonly limit: keyof TreeLimits;

  constructor(limit: keyof TreeLimits) {
    super(limit);
    this.limit = limit;
  }
}

/**
 * The first limit that the tree of a document reaches, as the parser makes it, or `nesting` of its stylesheets; undefined where it stays
 * below all. Stops there.
 */
export function treeLimit(html: string, limits: TreeLimits): keyof TreeLimits | 'nesting' | undefined {
  let depth = 0;
  let elements = 0;
  const styles: DefaultTreeAdapterTypes.Element[] = [];
  const adapter: TreeAdapter<DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createElement(name, namespace, attributes) {
      if ((elements += 1) > limits.elements) throw new LimitReached('elements');
      const element = defaultTreeAdapter.createElement(name, namespace, attributes);
      if (name === 'style') styles.push(element);
      return element;
    },
    onItemPush() {
      if ((depth += 1) > limits.depth) throw new LimitReached('depth');
    },
    onItemPop() {
      depth -= 1;
    },
  };
  try {
    parse(html, { treeAdapter: adapter, scriptingEnabled: false });
    return styles.some((style) => nestsTooDeep(style.childNodes.map((node) => ('value' in node ? node.value : '')).join('')))
      ? 'nesting'
      : undefined;
  } catch (error) {
    if (error instanceof LimitReached) return error.limit;
    throw error;
  }
}
