import type { Selector } from 'css-tree';
import { unescapeCss } from '../html/nesting.ts';
import { memoizeByText } from '../html/text.ts';
import { matchesValue, SelectorMatcher, type CompoundSelector } from '../sent/selectorMatcher.ts';
import { parseCss } from './css.ts';
import type { BodyElement } from './document.ts';

interface ParsedSelector {
  readonly compounds: readonly CompoundSelector<BodyElement>[];
  /** Specificity as one comparable number. */
  readonly specificity: number;
  /** Whether the selector has a pseudo-class or pseudo-element, which matching ignores. */
  readonly isDynamic: boolean;
}

interface SelectorMatch extends Pick<ParsedSelector, 'specificity' | 'isDynamic'> {
  /** The elements that the selector matches without its pseudo-classes; undefined if unsupported, or if the budget is spent. */
  readonly elements?: readonly BodyElement[];
}

const createCompound = (combinator: string): CompoundSelector<BodyElement> => ({
  combinator,
  name: undefined,
  conditions: [],
  childSteps: 0,
});

/** Parses a selector; undefined if its syntax is unsupported. Throws if it is invalid. */
function parseSelector(text: string): ParsedSelector | undefined {
  const { children } = parseCss(text, { context: 'selector' }) as Selector;
  let current = createCompound('');
  const compounds = [current];
  let specificity = 0;
  let isDynamic = false;
  for (const node of children) {
    if (node.type === 'Combinator') compounds.push((current = createCompound(node.name)));
    else if (node.type === 'TypeSelector') {
      const type = node.name.toLowerCase();
      if (type.includes('|')) return undefined;
      if (type === '*') continue;
      current.conditions.push({ key: type, test: ({ name }) => name === type });
      specificity += 1;
    } else if (node.type === 'IdSelector') {
      const wanted = unescapeCss(node.name);
      current.conditions.push({ key: `#${wanted}`, test: (element) => element.get('id') === wanted });
      specificity += 10_000;
    } else if (node.type === 'ClassSelector') {
      const wanted = unescapeCss(node.name);
      current.conditions.push({ key: `.${wanted}`, test: ({ classes }) => classes.has(wanted) });
      specificity += 100;
    } else if (node.type === 'AttributeSelector') {
      const { matcher, value } = node;
      const name = node.name.name.toLowerCase();
      const wanted = value?.type === 'String' ? value.value : (value?.name ?? '');
      current.conditions.push({
        key: `[${name}`,
        test: (element, _position, _last, spend) => matchesValue(element.get(name), matcher ?? '', wanted, spend),
      });
      specificity += 100;
    } else if (node.type === 'PseudoClassSelector' || node.type === 'PseudoElementSelector') {
      isDynamic ||= !/^(?:any-)?link$/iu.test(node.name);
      specificity += 100;
    } else return undefined;
  }
  return { compounds, specificity, isDynamic };
}

/** Finds the elements that the selectors of an email match. */
export class BodyMatcher extends SelectorMatcher<BodyElement> {
  /** Parses a selector and finds its elements, once for each text. */
  readonly match = memoizeByText((text: string): SelectorMatch => {
    let selector: ParsedSelector | undefined;
    let elements: readonly BodyElement[] | undefined;
    try {
      selector = parseSelector(text);
      elements = selector && this.find([selector.compounds]).filter(({ isSent }) => isSent);
    } catch {
      // The selector is invalid, or the budget is spent.
    }
    const { specificity = 0, isDynamic = true } = selector ?? {};
    return { specificity, isDynamic, elements };
  });

  /** Returns whether a selector matches no element that AcyMailing's parser creates; false if undetermined. */
  matchesNothing(text: string): boolean {
    return (
      this.match(text).elements?.every(
        ({ isInSource, name, children }) => !isInSource && !(name === 'body' && children.length > 0),
      ) === true
    );
  }
}
