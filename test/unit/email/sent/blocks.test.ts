import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { composeSent, type SentOptions } from '../../../../src/email/sent/index.ts';
import { site } from '../../../support/sentComparison.ts';

interface Case {
  readonly in: string;
  readonly sent: string;
  readonly text: string;
  readonly styleBytes: number;
}

const file = new URL('../../../support/cases/blocks.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly Case[] };

function send(body: string, cms?: 'wordpress' | 'joomla') {
  const options: SentOptions = { profile: 'acymailing', site, ...(cms && { cms }) };
  const { html, text, bytes } = composeSent({ body }, options);
  const [before = '', after = ''] = html.split('</html>');
  return { body: before.slice(before.indexOf('<body>') + 6, before.indexOf('</body>')), after, text, bytes };
}

describe('Blocks of WordPress as sent', () => {
  for (const { in: body, sent, text, styleBytes } of cases) {
    it(/<!-- (wp:\w+)/.exec(body)?.[1] ?? body, () => {
      const own = send(body, 'wordpress');
      assert.equal(own.body, sent);
      assert.equal(own.text, text);
      assert.match(own.after, /^<style>[^<]*<\/style>$/);
      assert.equal(Buffer.byteLength(own.after), styleBytes);
      assert.ok(own.bytes > Buffer.byteLength(own.body) + styleBytes);
    });
  }

  it('removes marks of videos without an ID together with their content', () => {
    for (const mark of [
      '{youtube}https://youtu.be/abc{/youtube}',
      '%7BYouTube%7Da<b>b</b>{/youtube}',
      '{youtube id=3}',
    ])
      assert.equal(send(`<p>a${mark}b</p>`).body, '<p>ab</p>');
  });

  it('removes shortcodes and embedded content, and links videos', () => {
    const shortcode = '<div><!-- wp:shortcode -->[x]<!-- /wp:shortcode --><p>a</p></div>';
    assert.equal(send(shortcode, 'wordpress').body, '<div><p>a</p></div>');
    const embed = (name: string, url: string) =>
      `<div><!-- wp:core-embed/${name} {"url":"${url}"} --><figure>x</figure><!-- /wp:core-embed/${name} --><p>a</p></div>`;
    assert.equal(send(embed('twitter', 'https://x.example'), 'wordpress').body, '<div><p>a</p></div>');
    assert.match(
      send(embed('youtube', 'https://www.youtube.com/watch?v=abc'), 'wordpress').body,
      /^<div><a target="_blank" href="https:\/\/www\.youtube\.com\/watch\?v=abc"><img [^>]*><\/a><p>a<\/p><\/div>$/,
    );
    const button = '<a class="wp-block-file__button" href="https://x.example">Get</a>';
    const file = `<style>.wp-block-file__button:hover{top:0}</style><div><!-- wp:file -->${button}<!-- /wp:file -->a</div>`;
    assert.equal(send(file, 'wordpress').body, '<div><!-- wp:file --><!-- /wp:file -->a</div>');
  });

  it('keeps blocks and shortcodes on other sites, and looks for the video image elsewhere', () => {
    const block = '<div><!-- wp:shortcode -->x<!-- /wp:shortcode --></div>';
    for (const cms of [undefined, 'joomla'] as const) {
      assert.equal(send(block, cms).body, block);
      assert.equal(send(block, cms).after, '');
    }
    assert.equal(send('<p>[gallery]</p>', 'joomla').body, '<p>[gallery]</p>');
    assert.equal(send('<p>[gallery]</p>').body, '<p></p>');
    assert.match(send('<p><video src="a.mp4"></video></p>', 'joomla').body, /media\/com_acym\/images\/\/video\.png/);
  });
});
