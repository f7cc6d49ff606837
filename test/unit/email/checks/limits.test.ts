import assert from 'node:assert/strict';
import { check } from '../../../../src/email/checks/index.ts';
import { heavy } from '../../../support/hostile/index.ts';
import { assertValid } from '../../../support/checks/marked.ts';

const refused: readonly (readonly [title: string, body: string])[] = [
  ['a body of 10 MB', '<p>some text</p>\n'.repeat(600_000)],
  ['20,000 nested tags', '<div>'.repeat(20_000)],
  [
    'a tag with thousands of attributes',
    `<p ${'a'.repeat(3)} ${Array.from({ length: 5000 }, (_, index) => `b${index}`).join(' ')}>`,
  ],
];

describe('An email that would take too long', () => {
  for (const [title, body] of refused) {
    it(`gets one finding that says so: ${title}`, () => {
      const findings = check({ body });
      assert.deepEqual(
        findings.map(({ rule, severity, start }) => [rule, severity, start]),
        [['too-large', 'warning', 0]],
      );
      assert.match(findings[0]?.message ?? '', /^This email is too large to check: .{10,}/u);
    });
  }

  it('may have a stylesheet that is one', () => {
    assert.deepEqual(
      check({ body: 'x', stylesheet: 'p{color:red}'.repeat(100_000) }).map(({ rule }) => rule),
      ['too-large'],
    );
  });

  it('has styles whose brackets nest without end: they are left out', () => {
    const image = '<img src="https://x.example/a.png" width="9">';
    const body = `<style>${'@media screen{'.repeat(500)}</style><p style="color:${'('.repeat(500)}">x</p>${image}`;
    assert.deepEqual(check({ body }).filter(({ rule }) => rule === '12').length, 1);
  });

  it('has a style in the style of an SVG picture: its rules are read once', () => {
    const email = {
      body: '<svg><style>.a{color:red}<style>.unused{color:red}</style></style></svg><p class="a">x</p>',
    };
    const findings = check(email, { profile: 'acymailing' });
    assertValid(email, findings);
    const [unmatched] = findings.filter(({ rule }) => rule === '37');
    assert.deepEqual([unmatched?.start, unmatched?.related], [email.body.indexOf('.unused'), undefined]);
  });

  for (const { id, why, body, stylesheet } of heavy) {
    it(`ends: ${id} (${why})`, () => {
      const email = { body: body(), stylesheet: stylesheet?.() ?? '' };
      const findings = check(email, { profile: 'acymailing', rules: { 34: 'hint' } });
      assertValid(email, findings);
      assert.ok(findings.length < 500);
    });
  }

  const slow: readonly (readonly [title: string, body: string])[] = [
    [
      'selectors that can match in many ways',
      `<style>${'* '.repeat(40)}x, ${'div '.repeat(40)}y{color:red}</style>${'<div>'.repeat(300)}x`,
    ],
    [
      'thousands of rules for thousands of elements',
      `<style>${'*{color:red}'.repeat(5000)}</style>${'<p>x</p>'.repeat(5000)}`,
    ],
    [
      'thousands of conditional comments',
      `${'<!--[if mso]><td><![endif]--><div style="max-width:9px">x</div>'.repeat(5000)}`,
    ],
    ["comments that don't end", '<!--[if mso]><!--'.repeat(20_000)],
    ['ends without beginnings', '<![endif]-->'.repeat(20_000)],
    ['blanks', `<a href="${' '.repeat(200_000)}">x</a>${' '.repeat(200_000)}<p>${'\n'.repeat(200_000)}</p>`],
    ['brackets of tags', '{'.repeat(100_000)],
    ['commas', `<style>${','.repeat(100_000)}{color:red}</style>`],
    ['references', `<p style="${'&quot;'.repeat(15_000)}">x</p>`],
    ['quotes in a start', `<section ${'"'.repeat(100_000)}`],
  ];
  for (const [title, body] of slow) {
    it(`ends: ${title}`, () => {
      const email = { body };
      assertValid(email, check(email, { profile: 'acymailing', rules: { 34: 'hint' } }));
    });
  }
});
