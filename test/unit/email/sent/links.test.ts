import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { composeSent } from '../../../../src/email/sent/index.ts';
import { site } from '../../../support/sentComparison.ts';

interface Case {
  readonly trackingsystem?: string;
  readonly in: string;
  readonly sent: string;
  readonly registered: string | readonly string[] | null;
}

const file = new URL('../../../support/cases/links.json', import.meta.url);
const { links, html } = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<'links' | 'html', readonly Case[]>>;

/** Ids are those of the recorded emails. */
const withoutIds = (text: string) =>
  text.replace(/(urlid|userid|mailid|userkey)=\w+/g, '$1').replace(/<img class="spict"[^>]*>/, '');

const send = (content: string) =>
  withoutIds(composeSent({ body: `<p>${content}</p>` }, { profile: 'acymailing', site, tracked: true }).html);

const getHref = (content: string) => /<a [^>]*?href="([^"]*)"/.exec(send(content))?.[1] ?? '';

describe('Links as sent with tracking', () => {
  // Only Google's parameters: the API doesn't report that setting.
  for (const { in: address, sent, registered, trackingsystem } of links.filter(
    (each) => each.trackingsystem !== 'google',
  )) {
    it(`${registered === null ? 'keeps' : 'tracks'} ${address} (${trackingsystem})`, () => {
      const href = getHref(`<a href="${address}">x</a>`);
      // Tags are replaced after composing.
      if (registered === null && address.startsWith('{'))
        assert.equal(href, address.replaceAll('{', '%7B').replaceAll('}', '%7D'));
      else assert.equal(href, withoutIds(sent));
    });
  }

  for (const { in: content, sent } of html)
    it(`tracks ${content}`, () => assert.ok(send(content).includes(`<p>${withoutIds(sent)}</p>`), send(content)));

  it('tracks every other scheme, and no link that unsubscribes', () => {
    const isTracked = (address: string) => getHref(`<a href="${address}">x</a>`).includes('ctrl=fronturl');
    for (const address of ['', 'javascript:x', 'data:x', 'www.x.example', '?q=1', '{confirm}{/confirm}'])
      assert.ok(isTracked(address), address);
    for (const address of [
      'TEL:1',
      'MAILTO:a@b.example',
      'https://x.example/?PASSWORD',
      '{unsubscribeall}{/unsubscribeall}',
      '{direct_unsubscribe|redirect:https://x.example}{/direct_unsubscribe}',
      '{UNSUBSCRIBE}{/UNSUBSCRIBE}',
    ])
      assert.ok(!isTracked(address), address);
    assert.match(
      send('<link href="https://x.example/"><v:roundrect href="/y"></v:roundrect>'),
      /(?:ctrl=fronturl.*){2}/s,
    );
  });
});
