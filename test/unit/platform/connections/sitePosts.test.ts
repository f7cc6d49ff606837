import assert from 'node:assert/strict';
import { SitePostReader } from '../../../../src/platform/connections/sitePosts.ts';
import type { HttpResponse } from '../../../../src/service/client/exchange.ts';

const baseUrl = 'https://shop.example/blog';
const post = {
  title: { rendered: 'Caf&eacute; &#8217;<script>alert(1)</script><b>open</b>' },
  excerpt: { rendered: '<p>Come &amp; see<img src=x onerror=alert(1)></p><style>p{}</style>\n' },
  link: 'https://shop.example/blog/opening/',
  _embedded: { 'wp:featuredmedia': [{ source_url: 'https://shop.example/a.jpg' }] },
};
const shown = {
  title: 'Caf\u00e9 \u2019open',
  text: 'Come & see',
  link: 'https://shop.example/blog/opening/',
  image: 'https://shop.example/a.jpg',
};

describe('Posts of a site', () => {
  let requests: string[] = [];
  const open = (answer: object | string | undefined, more: Partial<HttpResponse> = {}) => {
    requests = [];
    return new SitePostReader((url) => {
      requests.push(url);
      if (answer === undefined) return Promise.reject(new Error('offline'));
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      return Promise.resolve({ status: 200, headers: {}, text, isTooLarge: false, ...more });
    });
  };

  it('are read from its public API as plain text, once per session', async () => {
    const site = open(post);
    for (let run = 0; run < 2; run += 1)
      assert.deepEqual(await site.get(baseUrl, ['posts/12']), { 'posts/12': [shown] });
    assert.deepEqual(requests, [`${baseUrl}/wp-json/wp/v2/posts/12?_embed=wp:featuredmedia`]);
    await site.get('https://other.example', ['posts/12']);
    assert.equal(requests.length, 2);
  });

  it('may be the newest ones, without a picture', async () => {
    const { _embedded: _none, ...plain } = post;
    const site = open([plain, ...Array.from({ length: 50 }, () => post)]);
    const { posts = [] } = await site.get(baseUrl, ['posts']);
    assert.equal(posts.length, 10);
    assert.deepEqual(posts[0], { ...shown, image: '' });
    assert.match(requests[0] ?? '', /\/posts\?.*per_page=10$/u);
  });

  it('are missing after any other answer', async () => {
    for (const [answer, more] of [
      ['<!doctype html><title>Login</title>'],
      ['{"title":'],
      [{ code: 'rest_post_invalid_id', message: 'Invalid', data: { status: 404 } }, { status: 404 }],
      [post, { status: 404 }],
      [post, { status: 302 }],
      [post, { isTooLarge: true }],
      [{ title: { rendered: ['x'] } }],
      [{ title: { rendered: '<script>x</script>' } }],
      ['null'],
      ['[null, 1, "x"]'],
    ] as const)
      assert.deepEqual(await open(answer, more).get(baseUrl, ['posts/12']), {}, JSON.stringify(answer));
  });

  it('have no addresses but those of the web', async () => {
    for (const address of ['javascript:alert(1)', 'data:text/html,x', '//x', 'https://x/"><script>', 5, null]) {
      const site = open({ ...post, link: address, _embedded: { 'wp:featuredmedia': [{ source_url: address }] } });
      assert.deepEqual(await site.get(baseUrl, ['posts/12']), { 'posts/12': [{ ...shown, link: '', image: '' }] });
    }
  });

  it('are requested again after a failure, for 20 tags at most', async () => {
    const site = open(undefined);
    assert.deepEqual(await site.get(baseUrl, ['posts/12']), {});
    await site.get(baseUrl, ['posts/12']);
    assert.equal(requests.length, 2);
    await site.get(
      baseUrl,
      Array.from({ length: 100 }, (_, index) => `posts/${index + 100}`),
    );
    assert.equal(requests.length, 22);
  });
});
