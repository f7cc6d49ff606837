import assert from 'node:assert/strict';
import { composeSent } from '../../../../src/email/sent/index.ts';
import { compareSent, hasReferences, readReferences, site } from '../../../support/sentComparison.ts';

describe('composeSent on real emails', () => {
  before(function () {
    if (hasReferences) return;
    console.log('      (skipped: no emails that were really sent are available)');
    this.skip();
  });

  it('matches the elements, declarations, head rules, text part and size of the sent emails', () => {
    const compared = readReferences().map((reference) => ({
      name: reference.name,
      ...compareSent(composeSent(reference, { profile: 'acymailing', site }), reference),
    }));
    const sum = (key: 'same' | 'elements' | 'sameLines' | 'lines') =>
      compared.reduce((total, one) => total + one[key], 0);
    const differences = compared
      .flatMap((one) => one.differences.map((difference) => `${one.name}: ${difference}`))
      .slice(0, 5)
      .join('\n');
    assert.ok(sum('elements') > 5000);
    assert.ok(sum('same') / sum('elements') >= 0.999, differences);
    assert.ok(sum('sameLines') / sum('lines') >= 0.99);
    assert.deepEqual(
      compared.filter(({ hasSameHeadRules }) => !hasSameHeadRules).map(({ name }) => name),
      [],
    );
    assert.deepEqual(
      compared.filter(({ size }) => Math.abs(size - 1) > 0.001).map(({ name }) => name),
      [],
    );
  });

  it('matches the size with tracked links', () => {
    for (const reference of readReferences('tracked')) {
      const { size } = compareSent(composeSent(reference, { profile: 'acymailing', site, tracked: true }), reference);
      assert.ok(Math.abs(size - 1) < 0.01, `${reference.name}: ${size}`);
    }
  });
});
