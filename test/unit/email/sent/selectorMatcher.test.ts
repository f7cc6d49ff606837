import assert from 'node:assert/strict';
import { check } from '../../../../src/email/checks/index.ts';
import { matchesValue, SelectorMatcher } from '../../../../src/email/sent/selectorMatcher.ts';

interface Item {
  readonly name: string;
  readonly classes: ReadonlySet<string>;
  readonly order: number;
  readonly lastOrder: number;
  readonly parent: undefined;
  readonly previous: undefined;
  readonly children: readonly Item[];
  readonly get: (attribute: string) => string | undefined;
}

/** Returns how many characters of an attribute a budget lets the conditions of a selector read. */
function countReadChars(length: number, count: number, operator: string) {
  let read = 0;
  const value = 'x'.repeat(length);
  const item: Item = {
    name: 'p',
    classes: new Set(),
    order: 0,
    lastOrder: 0,
    parent: undefined,
    previous: undefined,
    children: [],
    get: (attribute) => (attribute === 'a' ? value : undefined),
  };
  const matcher = new SelectorMatcher<Item>([item], 1000);
  const conditions = Array.from({ length: count }, () => ({
    key: '[a',
    test(element: Item, _position: number, _last: number, spend: (steps: number) => void) {
      read += length;
      return matchesValue(element.get('a'), operator, 'x', spend) || true;
    },
  }));
  try {
    matcher.find([[{ combinator: '', name: undefined, conditions, childSteps: 0 }]]);
  } catch {
    // The budget is spent.
  }
  return read;
}

describe('the budget for matching selectors', () => {
  for (const operator of ['=', '~=', '*=', '$='])
    it(`limits the characters that ${operator} compares, for long values and many conditions`, () => {
      for (const length of [1, 100, 10_000]) {
        const read = countReadChars(length, 100_000, operator);
        assert.ok(read <= 32 * 1000 + length, `${read} characters of values of ${length}`);
      }
    });

  it('still finds an element by a long value', () => {
    const body = `<style>img[src*="end"]{display:none}</style><img width="9" src="data:image/png;base64,${'x'.repeat(50_000)}end">`;
    assert.deepEqual(
      check({ body }, { profile: 'acymailing' }).filter(({ rule }) => rule === '37'),
      [],
    );
  });
});
