import assert from 'node:assert/strict';
import { createLinkMatcher } from '../../../../../src/features/preview/page/heatMatching.ts';

describe('createLinkMatcher', () => {
  const same: readonly (readonly [title: string, address: string, href: string])[] = [
    ['the same', 'https://shop.example/a?b=1#c', 'https://shop.example/a?b=1#c'],
    ['entities that were not read', 'https://shop.example/?a=1&amp;b=2', 'https://shop.example/?a=1&b=2'],
    ['entities by number', 'https://shop.example/?a=1&#38;b=&#x32;', 'https://shop.example/?a=1&b=2'],
    ['a slash at the end', 'https://shop.example/sale', 'https://shop.example/sale/'],
    ['a slash for the whole site', 'https://shop.example', 'https://shop.example/'],
    ['a slash before the query', 'https://shop.example/sale?a=1', 'https://shop.example/sale/?a=1'],
    ['capitals in the host', 'https://shop.example/Sale', 'HTTPS://Shop.Example/Sale'],
    ['the default port', 'https://shop.example/a', 'https://shop.example:443/a'],
    ['spaces around', 'https://shop.example/a', '\n  https://shop.example/a '],
    ['no scheme', 'https://shop.example/a', '//shop.example/a'],
    ['escapes', 'https://shop.example/caf%c3%a9/%7Eann', 'https://shop.example/café/~ann'],
    ['a name beyond ASCII', 'https://xn--bcher-kva.example/', 'https://bücher.example'],
    [
      'tracking parameters that the service added',
      'https://shop.example/a?b=1&utm_source=letter&utm_medium=email',
      'https://shop.example/a?b=1',
    ],
    [
      'tracking parameters that only the email has',
      'https://shop.example/a',
      'https://shop.example/a?UTM_campaign=x&gclid=1',
    ],
    [
      'a tag that the service returns unreplaced',
      'https://shop.example/?u={user:id}',
      'https://shop.example/?u={user:id}',
    ],
    ['an address with another scheme', 'mailto:ann@shop.example', 'mailto:ann@shop.example'],
  ];
  for (const [title, address, href] of same) {
    it(`matches ${title}`, () =>
      assert.deepEqual(createLinkMatcher(['https://other.example/', address])([href]), [[1]]));
  }

  const different: readonly (readonly [title: string, address: string, href: string])[] = [
    ['another path', 'https://shop.example/a', 'https://shop.example/b'],
    ['capitals in the path', 'https://shop.example/a', 'https://shop.example/A'],
    ['another query', 'https://shop.example/?id=1', 'https://shop.example/?id=2'],
    ['another port', 'https://shop.example/', 'https://shop.example:8443/'],
    ['another scheme', 'https://shop.example/', 'http://shop.example/'],
    ['another fragment', 'https://shop.example/#a', 'https://shop.example/#b'],
    ['a tag alone', 'https://shop.example/', '{unsubscribe}{/unsubscribe}'],
    ['a tag alone, in both', '{unsubscribe}{/unsubscribe}', '{unsubscribe}{/unsubscribe}'],
    ['a tag that makes the address personal', 'https://shop.example/?u=7', 'https://shop.example/?u={user:id}'],
    ['a tag with tracking parameters', 'https://shop.example/{a}?utm_source=x', 'https://shop.example/{a}'],
    ['a fragment alone', 'https://shop.example/', '#top'],
    ['a relative address', 'https://shop.example/a', '/a'],
    ['an empty address', '', ''],
    ['an invalid address', 'https://[', 'https://['],
    ['an invalid character reference', 'https://shop.example/&#999999;', 'https://shop.example/'],
  ];
  for (const [title, address, href] of different) {
    it(`does not match ${title}`, () => assert.deepEqual(createLinkMatcher([address])([href]), [[]]));
  }

  it('ignores tracking parameters only without an exact match', () => {
    const matcher = createLinkMatcher([
      'https://a.example/?utm_content=top',
      'https://a.example/?utm_content=foot',
      'https://a.example/',
    ]);
    const hrefs = [
      'https://a.example/?utm_content=foot',
      'https://a.example/',
      'https://a.example/?utm_content=middle',
    ];
    // The first two match exactly. Only the remaining address matches the third.
    assert.deepEqual(matcher(hrefs), [[1], [2], [0]]);
  });

  it('matches all spellings of an address', () => {
    const matcher = createLinkMatcher(['https://a.example/x', 'https://a.example/x/', 'https://b.example/']);
    assert.deepEqual(matcher(['https://A.example/x', 'https://b.example', 'https://a.example/x']), [
      [0, 1],
      [2],
      [0, 1],
    ]);
  });
});
