import assert from 'node:assert/strict';
import { t } from '@vscode/l10n';
import { readJson } from '../support/manifest.ts';
import { formatList, formatNumber, formatPair, localized, plural, quote, setDisplayLanguage } from '../../src/l10n.ts';

describe('The display language', () => {
  afterEach(() => setDisplayLanguage({ language: 'en' }));

  const lists = localized(() => ({ names: formatList(['a', 'b', 'c']), count: t('{0} lists') }));

  it('is English without translated texts', () => {
    assert.equal(plural(1, t('{0} list'), t('{0} lists')), '1 list');
    assert.equal(plural(1_204, t('{0} list'), t('{0} lists')), '1,204 lists');
    assert.equal(plural(2, t('{0} list on {1}'), t('{0} lists on {1}'), 'a {0} {1}'), '2 lists on a {0} {1}');
    assert.equal(t`${'x'} isn't ${2}`, "x isn't 2");
  });

  it('has its texts, plurals, lists and numbers', () => {
    const count = (lists: number) => plural(lists, t('{0} list'), t('{0} lists'));
    assert.equal(count(0), '0 lists');
    setDisplayLanguage({ language: 'fr', texts: { '{0} list': '{0} liste', '{0} lists': '{0} listes' } });
    assert.deepEqual([0, 1, 2].map(count), ['0 liste', '1 liste', '2 listes']);
    assert.equal(formatNumber(1_204.5), '1\u202f204,5');
    assert.equal(formatList(['a', 'b', 'c']), 'a, b et c');
  });

  it('has its quotation marks and colons', () => {
    assert.equal(formatPair(quote('A {0}'), 'B {1}'), '"A {0}": B {1}');
    setDisplayLanguage({ language: 'fr', texts: readJson('l10n/bundle.l10n.fr.json') });
    assert.equal(formatPair(quote('A {0}'), 'B {1}'), '«\u00a0A {0}\u00a0»\u00a0: B {1}');
  });

  it('is read when a table is used, not when its module loads', () => {
    setDisplayLanguage({ language: 'de', texts: { '{0} lists': '{0} Listen' } });
    assert.deepEqual(lists(), { names: 'a, b und c', count: '{0} Listen' });
    assert.equal(formatNumber(3), '3');
  });
});
