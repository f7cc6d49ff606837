import assert from 'node:assert/strict';
import type { CheckResult, Email } from '../../../../src/email/checks/index.ts';
import { readingTools, type MailTexts, type ToolContext } from '../../../../src/sync/tools/reading.ts';
import { NotDoneError } from '../../../../src/sync/tools/tool.ts';

const stored: MailTexts = {
  name: 'Welcome',
  body: 'stored body',
  stylesheet: 'p { color: red }',
  details: JSON.stringify({ subject: 'Stored subject', preheader: 'Stored preheader' }),
  isReadOnly: false,
  note: 'It has unsaved edits.',
};

describe('The tool that checks an email', () => {
  const checked: Email[] = [];
  let result: CheckResult;
  beforeEach(() => {
    checked.length = 0;
    result = { findings: [] };
  });
  const host = {
    readMail: () => Promise.resolve(stored),
    check: (email: Email) => (checked.push(email), Promise.resolve(result)),
  } as unknown as ToolContext;
  const check = (input: object) => readingTools.mailing_checkEmail(host, input);
  const texts = ({ body, stylesheet, subject, preheader }: Partial<Email> = {}) => [
    body,
    stylesheet,
    subject,
    preheader,
  ];

  for (const [title, input, expected] of [
    ['the stored texts', {}, ['stored body', 'p { color: red }', 'Stored subject', 'Stored preheader']],
    [
      'the given texts instead of the stored ones, even empty ones',
      { body: 'given', stylesheet: '', subject: 'Given', preheader: '' },
      ['given', '', 'Given', ''],
    ],
  ] as const)
    it(`checks ${title}`, async () => {
      const { message } = await check({ id: 7, ...input });
      assert.deepEqual(checked.map(texts), [expected]);
      assert.equal(message, 'Nothing was found. It has unsaved edits.');
    });

  it('checks given texts alone, and needs an email', async () => {
    assert.equal((await check({ body: 'given', stylesheet: 'a {}' })).message, 'Nothing was found.');
    assert.deepEqual(checked.map(texts), [['given', 'a {}', '', '']]);
    await assert.rejects(check({ stylesheet: 'a {}' }), NotDoneError);
  });

  for (const [count, message] of [
    [1, '1 finding, one on each line.'],
    [100, '100 findings, one on each line.'],
    [103, '103 findings, one on each line. The last 3 are left out.'],
  ] as const)
    it(`reports how many of ${count} findings are left out`, async () => {
      const finding = {
        rule: '12',
        name: 'image-alt',
        severity: 'warning',
        part: 'body',
        start: 4,
        end: 5,
        message: 'M',
      } as const;
      result = { findings: Array.from({ length: count }, () => finding) };
      const { message: reported, data } = await check({ body: 'one\ntwo' });
      const lines = data?.text.split('\n') ?? [];
      assert.deepEqual([reported, lines.length], [message, Math.min(count, 100)]);
      assert.deepEqual(JSON.parse(lines[0] ?? ''), {
        severity: 'warning',
        rule: 12,
        part: 'body',
        line: 2,
        message: 'M',
      });
    });
});
