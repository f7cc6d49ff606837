import assert from 'node:assert/strict';
import {
  check,
  selectClients,
  createIgnoreFix,
  getCheckRules,
  countClientShares,
  getFeatureSupport,
  type CheckOptions,
} from '../../../../src/email/checks/index.ts';
import { applyFix, findRuleFindings } from '../../../support/checks/marked.ts';

const image = '<img src="https://x.example/a.png" width="9">';
const countFindings = (body: string, options?: CheckOptions) => {
  const [finding] = findRuleFindings('12', { body }, options);
  return finding ? 1 + (finding.related?.length ?? 0) : 0;
};

describe('check rules', () => {
  it('support severity overrides by id and name', () => {
    const severity = (chosen: CheckOptions['rules'] = {}): string | undefined =>
      findRuleFindings('12', { body: image }, { rules: chosen })[0]?.severity;
    assert.deepEqual(
      [severity(), severity({ 12: 'error' }), severity({ 'image-alt': 'hint' }), severity({ 12: 'off' })],
      ['warning', 'error', 'hint', undefined],
    );
  });

  it('are disabled by a comment for the whole email or for the next element', () => {
    assert.equal(countFindings(`<p>${image}</p>${image}`), 2);
    assert.equal(countFindings(`<!-- mailing-ignore 12 --><p>${image}</p>${image}`), 0);
    assert.equal(
      countFindings(
        `<!doctype html><html lang="en"><head><!-- mailing-ignore 20, image-alt --></head><body>${image}</body></html>`,
      ),
      0,
    );
    assert.equal(countFindings(`<b>x</b><!-- mailing-ignore image-alt --><p>${image}</p>${image}`), 1);
    assert.equal(countFindings(`<!-- mailing-ignore 13 --><p>${image}</p>`), 1);
    assert.equal(countFindings(`<!-- mailing-ignored 12 --><p>${image}</p>`), 1);
  });

  it('are disabled by the ignore fix, which inserts its comment after the doctype', () => {
    for (const body of [image, `<!DOCTYPE html>\n<html lang="en"><body>${image}</body></html>`]) {
      const [finding] = findRuleFindings('12', { body });
      assert.ok(finding);
      const fixedEmail = applyFix({ body }, createIgnoreFix({ body }, finding)).body;
      assert.equal(countFindings(fixedEmail), 0);
      assert.match(fixedEmail, /^(?:<!DOCTYPE html>\n)?<!-- mailing-ignore image-alt -->/u);
    }
  });

  it('have unique ids, names and titles, a page and an impact', () => {
    for (const key of ['id', 'name', 'title'] as const)
      assert.equal(new Set(getCheckRules().map((rule) => rule[key])).size, getCheckRules().length);
    for (const { id, url, impact, name } of getCheckRules())
      assert.ok(/^\d+$/u.test(id) && /^https:\/\//u.test(url) && impact.endsWith('.') && /^[a-z-]+$/u.test(name), id);
  });

  it('run only for their service profile', () => {
    const body = '<section>x</section>';
    assert.deepEqual(
      [findRuleFindings('35', { body }).length, findRuleFindings('35', { body }, { profile: 'documented' }).length],
      [0, 0],
    );
    assert.equal(findRuleFindings('35', { body }, { profile: 'acymailing' }).length, 1);
  });
});

describe('the size rule', () => {
  const text = (kilobytes: number) => `<p>${'x'.repeat(kilobytes * 1024)}</p>`;

  it('warns near the Gmail limit and marks the hidden part above it', () => {
    assert.equal(findRuleFindings('23', { body: text(80) }).length, 0);
    const [near] = findRuleFindings('23', { body: text(95) });
    assert.deepEqual([near?.severity, near?.start, near?.end], ['warning', 0, 3]);
    const body = text(110);
    const [over] = findRuleFindings('23', { body });
    assert.deepEqual([over?.severity, over?.end], ['error', body.length]);
    assert.ok((over?.start ?? 0) > 100 * 1024 && (over?.start ?? 0) < 102 * 1024);
  });

  it('counts bytes, and the stylesheet', () => {
    assert.equal(findRuleFindings('23', { body: `<p>${'é'.repeat(50 * 1024)}</p>` })[0]?.severity, 'warning');
    assert.equal(
      findRuleFindings('23', { body: text(80), stylesheet: `/*${'x'.repeat(30 * 1024)}*/` })[0]?.severity,
      'error',
    );
  });
});

describe('findings', () => {
  it('are ordered by part and offset', () => {
    const body = `${image}<a href="#">x</a>${image}<table><tr><td>x</td></tr></table>`;
    const found = check({ body, subject: 'BUY NOW', stylesheet: 'p { display: grid }' });
    assert.deepEqual([...new Set(found.map(({ part }) => part))], ['body', 'stylesheet', 'details']);
    const starts = found.filter(({ part }) => part === 'body').map(({ start }) => start);
    assert.deepEqual(
      starts,
      [...starts].sort((one, other) => one - other),
    );
  });

  it('use UTF-16 offsets after line endings and astral characters', () => {
    const body = `<p>😀é\r\n</p>\r\n<p style="font-family:&quot;Ä&quot;;\r\ndisplay:flex">x</p>`;
    const [finding] = findRuleFindings('28', { body });
    assert.equal(body.slice(finding?.start, finding?.end), 'display:flex');
  });
});

describe('client families', () => {
  it('are selected by id, name or key, and default if no name is recognized', () => {
    const ids = (names?: readonly string[]) => selectClients(names).map(({ id }) => id);
    assert.deepEqual(ids(), ['apple-mail', 'gmail', 'outlook-windows', 'outlook-com', 'yahoo']);
    assert.deepEqual(ids(['missing']), ids());
    assert.deepEqual(ids(['Outlook for Windows', 'gmail', 'thunderbird.macos']), [
      'gmail',
      'outlook-windows',
      'thunderbird',
    ]);
  });

  it('report feature support with its test date and page', () => {
    const flex = getFeatureSupport('css-display-flex', selectClients());
    assert.match(flex?.tested ?? '', /^\d{4}-\d\d-\d\d$/u);
    assert.equal(flex?.page, 'https://www.caniemail.com/features/css-display-flex/');
    const support = Object.fromEntries(flex?.clients.map(({ family, support: how }) => [family.id, how]) ?? []);
    assert.deepEqual(support, {
      'apple-mail': 'yes',
      gmail: 'partly',
      'outlook-windows': 'no',
      'outlook-com': 'yes',
      yahoo: 'yes',
    });
    assert.equal(getFeatureSupport('constructor', selectClients()), undefined);
  });

  it('are counted from the opened_with values', () => {
    const { opens, unknown, shares } = countClientShares([
      'Gmail',
      'Gmail',
      'Apple Mail',
      'Outlook',
      'Pegasus',
      null,
      undefined,
      7,
    ]);
    assert.deepEqual([opens, unknown], [6, 2]);
    assert.deepEqual(
      shares.map(({ id, opens: own }) => [id, own]),
      [
        ['gmail', 2],
        ['apple-mail', 1],
        ['outlook-windows', 1],
        ['outlook-com', 1],
      ],
    );
    assert.equal(shares[0]?.share, 2 / 6);
    assert.deepEqual(countClientShares([]), { opens: 0, unknown: 0, shares: [] });
  });
});
