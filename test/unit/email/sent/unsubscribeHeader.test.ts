import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { getUnsubscribeHeader } from '../../../../src/email/sent/unsubscribeHeader.ts';

type Fields = Readonly<Record<string, string>>;

interface Case {
  readonly case: string;
  readonly email: Fields;
  readonly settings: Fields;
  readonly listUnsubscribe: string | null;
}

const file = new URL('../../../support/cases/headers.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly Case[] };

describe('The header for one-click unsubscribing', () => {
  for (const { case: title, email, settings, listUnsubscribe } of cases) {
    it(title, () => {
      const { body = '<p>Hello</p>', subject = 'Header case', reply_to_email: replyToEmail = '' } = email;
      const bounceEmail =
        settings['auto_bounce'] === '1' ? (settings['bounce_email'] ?? 'bounce@news.example.org') : '';
      const site = { replyToEmail: settings['replyto_email'] ?? '', bounceEmail };
      const header = getUnsubscribeHeader({ body, subject, replyToEmail }, site);
      assert.equal(header === 'sent', listUnsubscribe !== null);
    });
  }

  it('tells a missing tag from a missing address, which may be unknown', () => {
    const body = '<p>{unsubscribe|lang:fr}bye{/unsubscribe}</p>';
    assert.equal(getUnsubscribeHeader({ body: '<p>x</p>', replyToEmail: 'a@b.example' }), 'noTag');
    assert.equal(getUnsubscribeHeader({ body: '{unsubscribe}' }), 'noTag');
    assert.equal(getUnsubscribeHeader({ body }), 'unknown');
    assert.equal(getUnsubscribeHeader({ body }, {}), 'noReplyTo');
    assert.equal(getUnsubscribeHeader({ body }, { replyToEmail: 'a@b.example' }), 'sent');
    assert.equal(getUnsubscribeHeader({ body, replyToEmail: 'a@b.example' }), 'sent');
  });
});
