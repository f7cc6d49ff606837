import assert from 'node:assert/strict';
import { JobCanceledError, WorkerCrashedError } from '../../../../../src/platform/worker/jobWorker.ts';
import { check, type CheckOptions, type Email, type Finding, type Fix } from '../../../../../src/email/checks/index.ts';
import {
  createUncheckedResult,
  getMailFields,
  placeFindings,
  mergeFixes,
} from '../../../../../src/sync/mapping/placedFindings.ts';
import { tagLanguage } from '../../../../../src/email/tags/index.ts';

/** Returns the findings of an email with a JSON details document. */
function find(
  { body = '<p>Hello</p>', details, ...others }: Partial<Email> & { readonly details?: string },
  options: CheckOptions = { language: tagLanguage('acymailing') },
) {
  const fields = getMailFields(details);
  const texts = Object.fromEntries(Object.entries(fields).map(([field, { text }]) => [field, text]));
  return placeFindings(check({ body, ...others, ...texts }, options), fields);
}

const getTagFindings = (found: readonly Finding[]) =>
  found.filter(({ rule }) => ['3', '4', '5', '6', '8'].includes(rule));
const applyFixTo = (text: string, fix: Fix | undefined) =>
  (fix?.edits ?? [])
    .toSorted((one, other) => other.start - one.start)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);

describe('Findings in documents', () => {
  it('mark and fix a tag in the body', () => {
    const body = '<p>Hi {name}</p>';
    const [found] = getTagFindings(find({ body }));
    assert.ok(found);
    assert.deepEqual([found.rule, found.part, body.slice(found.start, found.end)], ['3', 'body', '{name}']);
    assert.equal(applyFixTo(body, found.fixes?.[0]), '<p>Hi {subscriber:name}</p>');
  });

  it('mark and fix a tag after escapes in a subject, and keep the JSON valid', () => {
    const details = '{\n  "subject": "\\"Hi\\" \\u00e9 {firstname}",\n  "preheader": "{if:name=x}y{/if}"\n}';
    const found = getTagFindings(find({ details })).toSorted((one, other) => one.start - other.start);
    assert.deepEqual(
      found.map(({ rule, start, end }) => [rule, details.slice(start, end)]),
      [
        ['3', '{firstname}'],
        ['6', '{if:name=x}'],
      ],
    );
    assert.equal(
      (JSON.parse(applyFixTo(details, found[0]?.fixes?.[0])) as { subject: string }).subject,
      '"Hi" é {subscriber:name}',
    );
  });

  it('mark an empty field at its quotes, and fill it between them', () => {
    const details = '{\n  "subject": "",\n  "preheader": ""\n}';
    const found = find({ body: '<p>Fjord news for you, and more of it</p>', details }, {});
    const [subject, preheader] = ['31', '32'].map((rule) => found.find((finding) => finding.rule === rule));
    assert.deepEqual(
      [subject, preheader].map((each) => each && details.slice(each.start, each.end)),
      ['""', '""'],
    );
    assert.equal(subject?.start, details.indexOf('""'));
    const filled = JSON.parse(applyFixTo(details, preheader?.fixes?.[0])) as { readonly preheader: string };
    assert.match(filled.preheader, /Fjord news/u);
  });

  it('ignore missing fields, and fixes that would change them', () => {
    const body =
      '<html lang="en"><head><meta name="color-scheme" content="light dark"></head><body><p>Hi</p></body></html>';
    const own = (details: string) =>
      find({ body, details }, { profile: 'acymailing' }).find((finding) => finding.rule === '30');
    const headers = '{"headers": "<meta name=\\"a\\">"}';
    assert.deepEqual(own('{"subject": "Hi"}')?.fixes, []);
    const [fix] = own(headers)?.fixes ?? [];
    const inDetails = fix?.edits.filter(({ part }) => part === 'details') ?? [];
    assert.match(
      (JSON.parse(applyFixTo(headers, { title: '', edits: inDetails })) as { readonly headers: string }).headers,
      /^<meta name="a">\n<meta name="color-scheme"/u,
    );
    assert.deepEqual(
      find({ body: '<p>Hi</p>', details: '{}' }, {}).filter(({ part }) => part === 'details'),
      [],
    );
  });

  it('are fixed together unless their edits overlap', () => {
    const edit = (start: number, end: number, text = ''): Fix => ({
      title: 'x',
      edits: [{ part: 'body', start, end, text }],
    });
    const all = mergeFixes('All', [edit(0, 2), edit(1, 3), edit(2, 2, 'a'), edit(2, 2, 'b'), edit(2, 4)]);
    assert.deepEqual(
      all.edits.map(({ start, end, text }) => [start, end, text]),
      [
        [0, 2, ''],
        [2, 2, 'a'],
        [2, 2, 'b'],
        [2, 4, ''],
      ],
    );
  });
});

describe('An email whose checks crash the worker', () => {
  it('gets a finding at its start with the reason', () => {
    const { findings } = createUncheckedResult(new WorkerCrashedError('“check” took more than 2 seconds.'));
    assert.deepEqual(
      findings.map(({ rule, part, start, message }) => [rule, part, start, message]),
      [['not-checked', 'body', 0, "Couldn't check this email: “check” took more than 2 seconds."]],
    );
  });

  it('gets no finding if the checks were canceled', () => {
    const dropped = new JobCanceledError('Canceled.');
    assert.throws(() => createUncheckedResult(dropped), dropped);
  });
});
