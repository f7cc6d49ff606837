import assert from 'node:assert/strict';
import { check } from '../../../../src/email/checks/index.ts';
import { heavyEmails } from '../../../support/hostile/index.ts';
import { assertValid } from '../../../support/checks/marked.ts';

const refusedBodies: readonly (readonly [title: string, body: string])[] = [
  ['a body of 10 MB', '<p>some text</p>\n'.repeat(600_000)],
  ['20,000 nested tags', '<div>'.repeat(20_000)],
  [
    'a tag with thousands of attributes',
    `<p ${'a'.repeat(3)} ${Array.from({ length: 5000 }, (_, index) => `b${index}`).join(' ')}>`,
  ],
];

describe('checks of expensive emails', () => {
  for (const [title, body] of refusedBodies) {
    it(`return a single too-large finding: ${title}`, () => {
      const findings = check({ body });
      assert.deepEqual(
        findings.map(({ rule, severity, start }) => [rule, severity, start]),
        [['too-large', 'warning', 0]],
      );
      assert.match(findings[0]?.message ?? '', /^This email is too large to check\. .{10,}/u);
    });
  }

  it('return a single too-large finding for a huge stylesheet', () => {
    assert.deepEqual(
      check({ body: 'x', stylesheet: 'p{color:red}'.repeat(100_000) }).map(({ rule }) => rule),
      ['too-large'],
    );
  });

  it('skip styles with excessively nested brackets', () => {
    const image = '<img src="https://x.example/a.png" width="9">';
    const body = `<style>${'@media screen{'.repeat(500)}</style><p style="color:${'('.repeat(500)}">x</p>${image}`;
    assert.deepEqual(check({ body }).filter(({ rule }) => rule === '12').length, 1);
  });

  it('read the rules of a nested SVG style once', () => {
    const email = {
      body: '<svg><style>.a{color:red}<style>.unused{color:red}</style></style></svg><p class="a">x</p>',
    };
    const findings = check(email, { profile: 'acymailing' });
    assertValid(email, findings);
    const [unmatched] = findings.filter(({ rule }) => rule === '37');
    assert.deepEqual([unmatched?.start, unmatched?.related], [email.body.indexOf('.unused'), undefined]);
  });

  for (const { id, description, body, stylesheet } of heavyEmails) {
    it(`finish: ${id} (${description})`, () => {
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
    ['unclosed comments', '<!--[if mso]><!--'.repeat(20_000)],
    ['end markers without start markers', '<![endif]-->'.repeat(20_000)],
    ['whitespace', `<a href="${' '.repeat(200_000)}">x</a>${' '.repeat(200_000)}<p>${'\n'.repeat(200_000)}</p>`],
    ['brackets of tags', '{'.repeat(100_000)],
    ['commas', `<style>${','.repeat(100_000)}{color:red}</style>`],
    ['references', `<p style="${'&quot;'.repeat(15_000)}">x</p>`],
    ['quotes in a start', `<section ${'"'.repeat(100_000)}`],
  ];
  for (const [title, body] of slow) {
    it(`finish: ${title}`, () => {
      const email = { body };
      assertValid(email, check(email, { profile: 'acymailing', rules: { 34: 'hint' } }));
    });
  }
});
