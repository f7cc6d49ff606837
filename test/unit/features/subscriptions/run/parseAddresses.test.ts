import assert from 'node:assert/strict';
import { countTurns } from '../../../../support/turns.ts';
import {
  isEmailAddress,
  parseAddressCells,
  parseAddressText,
} from '../../../../../src/features/subscriptions/run/parseAddresses.ts';

it('isEmailAddress accepts international addresses, but no invalid ones', () => {
  const addresses = [
    'a@b.co',
    "Ann.O'Connor+news@mail.example.com",
    'jürgen@müller.example',
    'x_y-z@1and1.example',
    'δοκιμή@παράδειγμα.ελ',
  ];
  assert.deepEqual(addresses.filter(isEmailAddress), addresses);
  const others =
    'ann @b.co a@ a@b a@b.c a@@b.co .a@b.co a.@b.co a..b@c.co a@-b.co a@b-.co a@b..co a@b.co. a@1.2.3.4'.split(' ');
  others.push('', 'a b@c.co', '"a b"@c.co', `${'a'.repeat(65)}@b.co`, `a@${'b.'.repeat(130)}co`);
  assert.deepEqual(others.filter(isEmailAddress), []);
});

describe('parseAddressText', () => {
  const all = async (text: string) => (await parseAddressText(text)).addresses;

  it('accepts any mix of separators', async () => {
    assert.deepEqual(
      await all(
        'a@x.example, b@x.example;c@x.example\td@x.example|e@x.example\r\nf@x.example\n\n;; ,g@x.example h@x.example\u00a0i@x.example',
      ),
      [...'abcdefghi'].map((letter) => `${letter}@x.example`),
    );
  });

  it('extracts addresses from names, quotes and angle brackets', async () => {
    const text =
      'Ann <a@x.example>, "Smith, Bob" <b@x.example>; "c@x.example"\n<d@x.example>\nmailto:e@x.example\n(f@x.example)\nGil Ray g@x.example\n"h@x.example; i@x.example"\n"J; K" <mailto:j@x.example>';
    const { addresses, malformed } = await parseAddressText(text);
    assert.deepEqual(
      addresses,
      [...'abcdefghij'].map((letter) => `${letter}@x.example`),
    );
    assert.deepEqual(malformed, []);
  });

  it('keeps the first spelling of repeated addresses', async () => {
    const { addresses, duplicates } = await parseAddressText(
      'Ann@X.example\nann@x.example\n\u200bANN@x.EXAMPLE\nj\u00fcrgen@x.example, ju\u0308rgen@x.example',
    );
    assert.deepEqual(addresses, ['Ann@X.example', 'j\u00fcrgen@x.example']);
    assert.equal(duplicates, 3);
  });

  it('lists each invalid entry once and completely', async () => {
    const { addresses, malformed } = await parseAddressText(
      'a@x.example, invalid; b@x, invalid\nc@@x.example\nSmith, d@x.example\n<>\n"open, e@x.example\n<f@x.example',
    );
    assert.deepEqual(addresses, ['a@x.example', 'd@x.example', 'e@x.example']);
    assert.deepEqual(malformed, ['invalid', 'b@x', 'c@@x.example', 'Smith', '<>', 'open', '<f@x.example']);
  });

  it('reports a column heading and leaves it out', async () => {
    assert.deepEqual(await parseAddressText('\uFEFFE-Mail\r\na@x.example\r\n'), {
      addresses: ['a@x.example'],
      malformed: [],
      duplicates: 0,
      heading: 'E-Mail',
    });
    assert.deepEqual((await parseAddressText('Ann\na@x.example')).malformed, ['Ann']);
  });

  it('yields to the event loop while it parses 100,000 addresses', async () => {
    for (const separator of ['\n', ', ']) {
      const text = Array.from({ length: 100_000 }, (_, index) => `user.${index}@example.com`).join(separator);
      const endTurns = countTurns();
      const { addresses, malformed } = await parseAddressText(text);
      const turns = endTurns();
      assert.equal(addresses.length, 100_000);
      assert.equal(addresses.at(-1), 'user.99999@example.com');
      assert.deepEqual(malformed, []);
      assert.ok(turns > 5, `Others had ${turns} turns.`);
    }
  });

  it('can be aborted', async () => {
    const text = 'a@x.example\n'.repeat(100_000);
    await assert.rejects(parseAddressText(text, AbortSignal.abort()), { name: 'AbortError' });
  });

  it('finds no addresses in adversarial text', async () => {
    for (const text of [
      '<'.repeat(200_000),
      '"'.repeat(200_001),
      'a'.repeat(500_000),
      '@'.repeat(300_000),
      '.'.repeat(100_000) + '@',
      `a@${'b-'.repeat(100_000)}`,
    ]) {
      assert.deepEqual((await parseAddressText(text)).addresses, []);
    }
  });

  it('parses cells, which may be empty', async () => {
    assert.deepEqual((await parseAddressCells(['a@x.example', '', ' ', 'b@x.example; c@x.example', '-'])).addresses, [
      'a@x.example',
      'b@x.example',
      'c@x.example',
    ]);
  });
});
