import assert from 'node:assert/strict';
import { splitFooter } from '../../../../src/email/sent/storedFooter.ts';

const paragraph = '<p id="acym__powered_by_acymailing"><a href="https://x.example"><img alt="" src="a.png"/></a></p>';
const table =
  '<table id="acym__powered_by_acymailing" class="row"><tr><td><table><tr><td>By</td></tr></table></td></tr></table>';

describe("The service's footer", () => {
  it('is split from the end of a body', () => {
    for (const body of ['<p>b</p>\n', '<html><body>x</body></html>', ''])
      assert.deepEqual(splitFooter(body + paragraph), { body, footer: paragraph });
    assert.deepEqual(splitFooter(`<p>b</p>${paragraph}\n`), { body: '<p>b</p>\n', footer: paragraph });
  });

  it('is a table in emails of the visual editor', () => {
    const [before, after] = ['<div id="acym__wysid__template"><table><tr><td>x', '</td></tr></table></div>'];
    assert.deepEqual(splitFooter(before + table + after), { body: before + after, footer: table });
  });

  it('is nothing else', () => {
    for (const body of [
      '<p>b</p>',
      `${paragraph}<p>b</p>`,
      table,
      `<div id="acym__wysid__template">x</div>${paragraph}`,
      '<div id="acym__wysid__template"><table id="acym__powered_by_acymailing"></div>',
      '<p title=\' id="acym__powered_by_acymailing"',
      ' id="acym__powered_by_acymailing"',
      '<pre id="acym__powered_by_acymailing">x</pre>',
    ])
      assert.deepEqual(splitFooter(body), { body, footer: '' });
  });
});
