import assert from 'node:assert/strict';
import { check } from '../../../../src/email/checks/index.ts';
import { findColors, readOutlookCode } from '../../../../src/email/checks/outlookCode.ts';

describe('The code for Outlook', () => {
  const text = [
    '<p>a</p>',
    '<!--[if (gte mso 9)|(IE)]>',
    '<table><tr><td><![endif]-->',
    '<!--[if !mso]><!-->',
    '<b>b</b><!--<![endif]-->',
    '<!--[if mso]></td></tr></table><![endif]-->',
  ].join('\r\n');
  const { view, outline, hidden, conditions } = readOutlookCode(text);
  const lines = (source: string) => source.split('\r\n').map((line) => line.trimEnd());

  it('is read as Outlook reads it, at the same offsets', () => {
    assert.deepEqual(lines(view), ['<p>a</p>', '', '<table><tr><td>', '', '', `${' '.repeat(13)}</td></tr></table>`]);
    for (const tag of ['<table>', '<td>', '</td>']) assert.equal(view.indexOf(tag), text.indexOf(tag));
    assert.deepEqual([view.length, outline.length], [text.length, text.length]);
  });

  it('has an outline of what only Outlook reads', () => {
    assert.deepEqual(lines(outline), [
      '',
      '<if id="(gte mso 9)|(IE)">',
      '<table><tr><td></if>',
      '',
      '',
      '<if id="mso"></td></tr></table></if>',
    ]);
    assert.equal(conditions.length, 3);
    assert.deepEqual(
      hidden.map(({ start, end }) => text.slice(start, end)),
      ['\r\n<table><tr><td><', '</td></tr></table><'],
    );
  });

  it('keeps its length for malformed comments', () => {
    for (const malformed of [
      '<!--[if mso]>a',
      '<!--[if mso]>a-->b',
      '<!--[if mso]>a<!-- b -->c<![endif]-->',
      '<!--[if mso]>a<!--[if gte mso 9]>b<![endif]-->c<![endif]-->',
      '<!--[if !mso]><!-->a<!--[if mso]>b<![endif]-->c<!--<![endif]-->d',
      '<!--[if "><a>]>a<![endif]-->',
      '<![endif]--><!--[if mso]><!--[if mso]>',
    ]) {
      const code = readOutlookCode(malformed);
      assert.deepEqual([code.view.length, code.outline.length], [malformed.length, malformed.length], malformed);
    }
  });
});

describe('Colors', () => {
  const list = (text: string): readonly (readonly unknown[])[] =>
    findColors(readOutlookCode(text)).map(({ start, end, color }) => [text.slice(start, end), ...color]);

  it('of attributes of HTML and VML are found, and nothing else', () => {
    const text =
      '<body bgcolor="#ABC" link=\'red\' text="x"><font color="#00ff00"><v:rect fillcolor="white" strokecolor="#010203">' +
      '<a href="?color=\'red\'" title="color" data-color="red" style="color:red">bgcolor=red "color"</a><p color="red">';
    assert.deepEqual(list(text), [
      ['#ABC', 170, 187, 204],
      ['red', 255, 0, 0],
      ['#00ff00', 0, 255, 0],
      ['white', 255, 255, 255],
      ['#010203', 1, 2, 3],
      ['red', 255, 0, 0],
    ]);
  });

  it('of styles are found in code for Outlook', () => {
    const text =
      '<!--[if mso]><style>a.red:hover{background : url(red.png) #fff; margin:0 tan} #add{}</style>' +
      '<td style="font-family:tan;mso-border-alt:solid Navy 1px;color:rgb(1, 2, 3)">red: blue<![endif]--><p style="color:red">';
    assert.deepEqual(list(text), [
      ['#fff', 255, 255, 255],
      ['Navy', 0, 0, 128],
      ['rgb(1, 2, 3)', 1, 2, 3],
    ]);
  });
});

describe('Checks of the code for Outlook', () => {
  const findRules = (body: string, clients?: string[]) => {
    const findings = check({ body }, { profile: 'acymailing', ...(clients && { clients }) });
    return findings.map(({ rule, start }) => `${rule} ${body.slice(start, start + 6)}`);
  };
  const code = '<table width="600"><tr><td><img src="a.svg"><a href="#">x</a></td></tr></table>';
  const body = `<div><p>Text</p><!--[if mso]>${code}<![endif]--></div>`;

  it('find what they find outside', () => {
    const outside = findRules(`<div><p>Text</p>${code}</div>`);
    const inside = findRules(body);
    for (const problem of ['12 <img s', '20 <table'])
      assert.deepEqual(
        [outside, inside].map((found) => found.includes(problem)),
        [true, true],
        inside.join(', '),
      );
    assert.ok(
      inside.some((found) => found.startsWith('9 ')),
      inside.join(', '),
    );
  });

  it('find nothing if Outlook is not selected, or the service does not send the code', () => {
    const others = findRules('<div><p>Text</p></div>', ['Gmail']);
    assert.deepEqual(findRules(body, ['Gmail']), others);
    const head = `<html><head><!--[if mso]>${code}<![endif]--></head><body><p>Text</p></body></html>`;
    assert.ok(!findRules(head).some((found) => found.startsWith('12 ')));
  });

  it('respect comments that ignore rules', () => {
    const ignored = findRules(`<!-- mailing-ignore image-alt --><div>${body}</div>`);
    assert.ok(!ignored.some((found) => found.startsWith('12 ')), ignored.join(', '));
  });
});
