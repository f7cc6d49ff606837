import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { composeSent } from '../../../../src/email/sent/index.ts';
import { site } from '../../../support/sentComparison.ts';

/** What the service sent to a person named Ann. */
interface Case {
  readonly name: string;
  readonly body: string;
  readonly stylesheet?: string;
  readonly preheader?: string;
  readonly headers?: string;
  readonly settings?: string;
  readonly sentBody: string;
  readonly sentText: string;
  readonly headAfterTitle: string;
}

const file = new URL('../../../support/cases/pipeline.json', import.meta.url);
const cases = JSON.parse(readFileSync(file, 'utf8')) as readonly Case[];

/** Tags are rendered after composing, with the service's values. */
const online = `${site}/index.php?page=acymailing_front&ctrl=archive&task=view&id=MAILID&userid=101-KEYANN0000001&noheader=1&noheader=1`;
const tags: readonly (readonly [tag: string, value: string])[] = [
  ['{subscriber:name|part:first}', 'Ann'],
  ['{subscriber:name|default:$5}', 'Ann Marie O’Neil'],
  ['%7Bsubscriber:id%7D', '101'],
  ['%7Breadonline%7D%7B/readonline%7D', online],
];
const fillTags = (text: string) => tags.reduce((result, [tag, value]) => result.replaceAll(tag, () => value), text);
const encodeNames = (html: string) => html.replaceAll('O’Neil', 'O&rsquo;Neil');

describe('composeSent matches what the service sent', () => {
  for (const one of cases) {
    it(one.name, function () {
      // Settings only affect emails of the visual editor, which need the site's stylesheet (visualEditor.test.ts).
      if (one.settings !== undefined) this.skip();
      const { html, text } = composeSent({ ...one, subject: 'Case' }, { profile: 'acymailing', site });
      assert.equal(
        encodeNames(fillTags(html.slice(html.indexOf('<body'), html.lastIndexOf('</html>')))),
        one.sentBody.replaceAll('\r\n', '\n'),
      );
      assert.equal(
        html.slice(html.indexOf('</title>\n') + '</title>\n'.length, html.indexOf('</head>')),
        one.headAfterTitle,
      );
      assert.equal(fillTags(text).trim(), one.sentText.trim());
    });
  }
});
