import assert from 'node:assert/strict';
import { tagFindings } from '../../../src/language/tagFindings.ts';
import { tagTexts } from '../../../src/language/tagTexts.ts';
import type { Finding } from '../../../src/language/finding.ts';
import { describedLanguage, tagLanguage } from '../../../src/tags/index.ts';

const language = tagLanguage('acymailing');
const find = (kind: string, text: string, seen: readonly string[] = []): Finding[] =>
  tagFindings(tagTexts(kind, text), language, seen.map((name) => ({ namekey: name, label: name })));
const mended = (text: string, { fixes }: Finding): string =>
  (fixes[0]?.edits ?? []).toSorted((one, other) => other.start - one.start).reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);

describe('Findings on tags', () => {
  it('mark the tag of a body, and mend it', () => {
    const text = '<p>Hi {name}</p>';
    const [finding] = find('html', text);
    assert.ok(finding);
    assert.deepEqual([finding.rule, text.slice(finding.start, finding.end)], ['tag-unknown-family', '{name}']);
    assert.equal(mended(text, finding), '<p>Hi {subscriber:name}</p>');
  });

  it('mark the tag of a subject behind what is escaped, and leave the document JSON', () => {
    const text = '{\n  "subject": "\\"Hi\\" \\u00e9 {firstname}",\n  "preheader": "{if:name=x}y{/if}"\n}';
    const found = find('json', text);
    assert.deepEqual(found.map(({ rule, start, end }) => [rule, text.slice(start, end)]), [['tag-unknown-family', '{firstname}'], ['tag-not-here', '{if:name=x}']]);
    assert.equal((JSON.parse(mended(text, found[0] as Finding)) as { subject: string }).subject, '"Hi" é {subscriber:name}');
  });

  it('say nothing of a field that the service was seen to have', () => {
    assert.equal(find('html', '{subscriber:nam}').length, 1);
    assert.equal(find('html', '{subscriber:nam}', ['nam']).length, 0);
  });

  it('say nothing where a connection has no tags, or describes others', () => {
    const texts = tagTexts('html', '{name} {contact:first} {contact:frist}');
    assert.deepEqual(tagFindings(texts, tagLanguage('none'), []), []);
    const described = describedLanguage({ families: { contact: { fields: { first: 'Ann' } } } });
    const found = tagFindings(texts, described, []);
    assert.ok(found.some(({ fixes }) => fixes.some(({ edits }) => edits.some(({ text }) => text === 'first'))));
  });
});
