import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { check } from '../../../../src/email/checks/index.ts';
import {
  completeTags,
  createTagInsertion,
  explainTag,
  listSitePaths,
  parseTags,
  readTagLanguage,
  renderTags,
  tagLanguage,
  type TagLocation,
} from '../../../../src/email/tags/index.ts';
import { language, rendering } from './setup.ts';

interface ContentCase {
  readonly where: TagLocation | 'stylesheet';
  readonly in: string;
  readonly out: string;
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../support/cases/${name}.json`, import.meta.url), 'utf8'));

/** What a WordPress site made of content tags. Its posts have the IDs 201 to 206. */
const { cases } = read('contentTags') as { readonly cases: readonly ContentCase[] };
const families = read('contentFamilies') as readonly {
  readonly tag: string;
  readonly addon: string;
  readonly cms: string;
  readonly example: string | null;
}[];

/** Rules about tags. */
const tagRules = new Set(['3', '4', '5', '6', '8']);
const find = (where: string, text: string, options: object = { profile: 'acymailing' }) =>
  check({ body: '', [where]: text }, options).filter(({ rule }) => tagRules.has(rule));
const render = (text: string, where: TagLocation = 'body') => renderTags(text, language, rendering(where)).text;

/** Cases with a mistake, and a part of the message. */
const mistakes = new Map([
  ['{post:201}', 'empty box'],
  ['{autowoocommerce:12-}', 'empty box'],
  ['{hikashop:3}', 'empty box'],
  ['{post:201|display:content|wrap:40}', '"wrap" leaves'],
  ['{post:201| display : title}', 'the space next to it'],
  ['{post:201|display:title, intro}', 'the space next to it'],
  ['<a href="{post:201|display:title}">x</a>', 'breaks the markup'],
  ['.a:after{content:"{post:201|display:title}"}', "doesn't replace tags in the stylesheet"],
  ['{post:abc|display:title}', 'needs the ID'],
  ['{post:}', 'needs the ID'],
  ['{post}', "isn't a merge tag"],
  ['{post:201|display:title,\nintro}', 'Missing closing brace'],
  ['{post:201|<b>display:title</b>}', 'removes markup inside a tag'],
  ['{poll:1}', 'is not recognized'],
  ['{autorss:1|x:y}', 'is not recognized'],
]);

describe('Content tags: the cases of the service', () => {
  for (const { where, in: source } of cases)
    it(`are checked in ${where}: ${JSON.stringify(source)}`, () => {
      const messages = find(where, source).map(({ message }) => message);
      const mistake = mistakes.get(source);
      assert.equal(messages.length, mistake === undefined ? 0 : 1, messages.join('\n'));
      if (mistake !== undefined) assert.ok(messages[0]?.includes(mistake), messages[0]);
    });

  for (const { where, in: source, out } of cases) {
    if (where === 'stylesheet') continue;
    it(`are rendered in ${where}: ${JSON.stringify(source)}`, () => {
      const text = render(source, where);
      const isEmpty = out === '<div class="acymailing_content"></div>';
      const isKnown = parseTags(source, language).some(({ kind, isClosed }) => kind === 'value' && isClosed);
      if (isEmpty || !isKnown || /\{post:(?:abc|)[|}]/.test(source)) assert.equal(text, out);
      else if (/display/.test(source)) assert.match(text, /Sample/);
      else assert.ok(!text.includes('{'), text);
      if (where !== 'body') assert.ok(!/[<>]/.test(text), text);
    });
  }

  it('keep the shape of what the service inserts', () => {
    const normalize = (html: string) =>
      html
        .replaceAll(/<!--.*?-->|\s+(?=[<>/])|\s*(?:name|href|src|alt|height|width|style)="[^"]*"/gs, '')
        .replaceAll(/ +/g, ' ')
        .replaceAll(
          /(<h2[^>]*>(?:<img[^>]*>)?|<div class="acydescription">(?:<img[^>]*>)?)[^]*?(<\/h2>|<\/div>)/g,
          '$1$2',
        );
    const formats = cases.filter(({ in: source }) => /^\{post:201\|.*(?:format:|image\|size)/.test(source));
    assert.ok(formats.length >= 5);
    for (const { in: source, out } of formats) assert.equal(normalize(render(source)), normalize(out), source);
  });
});

describe('Content tags', () => {
  it('are known with the add-on, the CMS and the form of the editor', () => {
    assert.equal(families.length, 74);
    for (const { tag, addon, cms, example } of families) {
      const family = language.families.find(({ name }) => name === tag);
      assert.ok(family, tag);
      assert.ok(family.about.includes(`"${addon}"`) && (cms === 'both' || family.about.includes(cms)), family.about);
      // These two were written by hand.
      if (example && !['hikashop_ordered', 'cbtag'].includes(tag)) assert.equal(family.example, example);
      for (const where of ['body', 'subject', 'preheader'] as const)
        for (const source of [
          example ?? family.example,
          family.example.toUpperCase().split('|')[0] + family.example.slice(family.example.split('|')[0]?.length),
        ]) {
          const [parsed] = parseTags(source, language);
          assert.equal(parsed?.kind === 'value' && parsed.family, tag, source);
          assert.deepEqual(
            find(where, source).filter(({ message }) => !message.includes('closing')),
            [],
            source,
          );
        }
    }
  });

  it('stay as typed in the headers, which is reported in the details', () => {
    for (const { tag, example } of families) {
      const source = example ?? `{${tag}:text}`;
      assert.equal(render(source, 'headers'), source);
      const [finding, ...others] = find('headers', source);
      assert.deepEqual([finding?.rule, finding?.part, others], ['6', 'details', []], source);
    }
  });

  it('mean nothing in other tag languages', () => {
    const source = '{post:12|display:title}';
    for (const other of [
      tagLanguage('none'),
      readTagLanguage({ families: { contact: { fields: { first: 'Ann' } } } }),
    ]) {
      assert.equal(renderTags(source, other, rendering()).text, source);
      assert.ok(parseTags(source, other).every(({ kind }) => kind === 'unknown'));
    }
    assert.deepEqual(find('body', source, { profile: 'documented' }), []);
  });

  it('are information if unlisted, and warnings if misspelled', () => {
    for (const name of [
      'poll',
      'archive',
      'coupon',
      'event',
      'acf',
      'woocommerce_product',
      'easydigitaldownloads',
      'foo',
    ]) {
      const [finding] = find('body', `{${name}:1|display:title}`);
      assert.deepEqual([finding?.severity, finding?.fixes], ['info', undefined], name);
      assert.match(finding?.message ?? '', /add it to `tags`/);
    }
    for (const name of ['psot', 'artcle', 'autopst', 'hikashp', 'subscribr']) {
      const [finding] = find('body', `{${name}:1}`);
      assert.deepEqual([finding?.severity, finding?.fixes?.length], ['warning', 1], name);
    }
  });

  it('can be added to those of AcyMailing by a setting', () => {
    const added = readTagLanguage({ base: 'acymailing', families: { poll: {} } });
    assert.deepEqual(find('body', '{poll:1|x:y}{post:12|display:title}{subscriber:name}', { language: added }), []);
    assert.equal(renderTags('{poll:1}', added, rendering()).text, 'Sample: poll 1');
    assert.equal(renderTags('{subscriber:id}', added, rendering()).text, '101');
  });

  it('are reported with fixes that mend them', () => {
    for (const [source, fixed] of [
      ['{page:12}', '{page:12|display:title,image,intro}'],
      ['{page:12|display|clickable:1}', '{page:12|display:title,image,intro|clickable:1}'],
      ['{page:12|display:}', '{page:12|display:title,image,intro}'],
      ['{k2:1|display:title, intro,  cat}', '{k2:1|display:title,intro,cat}'],
      ['{k2:1|display:intro|wrap:200|pict:1}', '{k2:1|display:intro|wrap:0|pict:1}'],
      ['{k2:1|display:intro|Clickable:1}', '{k2:1|display:intro|clickable:1}'],
    ] as const) {
      const [finding] = find('body', source);
      const [edit] = finding?.fixes?.[0]?.edits ?? [];
      assert.ok(edit, source);
      assert.equal(source.slice(0, edit.start) + edit.text + source.slice(edit.end), fixed);
      assert.deepEqual(find('body', fixed), []);
    }
  });

  it('break attributes, except that of the visual editor and those that insert a value', () => {
    const message = (body: string) => find('body', body)[0]?.message.includes('breaks the markup') ?? false;
    for (const body of [
      '<img alt="{k2:1|display:title}">',
      "<a title='x {rss:|display:title}'>",
      '<p class={k2:1|display:title}>',
    ])
      assert.ok(message(body), body);
    for (const body of [
      '<tr data-dynamic="{k2:1|display:title}" class="a">',
      '<a href="{LOADSURVEY:7}">',
      '<p>{k2:1|display:title}</p>',
    ])
      assert.ok(!message(body), body);
  });

  it('replace the preview of the visual editor', () => {
    const row =
      '<tr class="a" data-dynamic="{k2:1|display:title}" style="b">\n <td class="c">\n <p>OLD</p><i></i>\n </td>\n</tr>';
    assert.equal(
      render(`${row}<tr><td>x</td></tr>`),
      '<tr class="a"  style="b">\n <td class="c"><div class="acymailing_content"><h2 class="acym_title">Sample: k2 1</h2></div></td></tr><tr><td>x</td></tr>',
    );
  });

  it('show the posts of the site, as text and marked as approximate', () => {
    const post = { title: 'A <b> & {x}', text: '<script>1</script>', link: 'https://x.example/?a&b', image: '' };
    const posts = {
      'posts/12': [{ ...post, image: 'https://x.example/a.png?"$&' }],
      'pages/3': [post],
      posts: [{ ...post, title: 'First' }],
    };
    const show = (text: string) => renderTags(text, language, { ...rendering(), posts }).text;
    const html = show('{post:12| display:title,intro,image,readmore| clickable:1}');
    assert.ok(html.includes('A &lt;b&gt; &amp; {x} (approximate)'), html);
    assert.ok(html.includes('&lt;script&gt;1&lt;/script&gt;'), html);
    assert.ok(html.includes('src="https://x.example/a.png?&quot;$&amp;"'), html);
    assert.equal(html.match(/href="https:\/\/x\.example\/\?a&amp;b"/gu)?.length, 2, html);
    assert.doesNotMatch(html, /Sample: |example\.com|<script/u);
    const page = show('{page:3| display:title,intro,image}');
    assert.match(page, /approximate/u);
    assert.doesNotMatch(page, /<img/u);
    const newest = show('{autopost:1| display:title| max:3}');
    assert.match(newest, /First \(approximate\)[^]*Sample: autopost 2/u);
    for (const other of ['{post:13| display:title}', '{article:12| display:title}'])
      assert.match(show(other), /Sample/u, other);
    assert.deepEqual(
      listSitePaths('{post:12| display:title}{post:12}{page:3}{autopost:1}{article:4}{post:x}{post:-1}', language),
      ['posts/12', 'pages/3', 'posts'],
    );
    assert.deepEqual(listSitePaths('{post:12}', tagLanguage('none')), []);
  });

  it('are completed as the form of the site writes them', () => {
    const complete = (text: string) => completeTags(text, text.length, language, { where: 'body' });
    const post = complete('{po').find(({ label }) => label === 'post');
    assert.ok(post);
    assert.match(post.snippet ?? '', /^post:\$\{1:12\}\| display:\$\{2:title,image,intro\}\| format:TOP_LEFT\|/);
    assert.equal(`{${createTagInsertion(post).text}`, language.families.find(({ name }) => name === 'post')?.example);
    const labels = (text: string) => complete(text).map(({ label }) => label);
    assert.deepEqual(labels('{post:12|').slice(0, 4), ['display', 'format', 'size', 'clickable']);
    assert.deepEqual(labels('{post:12| display:title| ').slice(0, 2), ['format', 'size']);
    assert.deepEqual(labels('{post:12| display:title,image,').slice(0, 2), ['excerpt', 'intro']);
    assert.deepEqual(labels('{loadsurvey:7| info:'), []);
    const [excerpt] = complete('{post:12| display:title,ex');
    assert.deepEqual([excerpt?.start, excerpt?.text], [24, 'title'].with(1, excerpt?.text ?? ''));
    assert.ok(labels('{').indexOf('if') < labels('{').indexOf('post'));
    assert.ok(!completeTags('{', 1, language, { where: 'headers' }).some(({ label }) => label === 'post'));
  });

  it('are explained with the add-on and the parameters', () => {
    const source = '{post:12| display:title| cols:2|new:1}';
    const explained = explainTag(source, 3, language, { rendering: rendering() });
    assert.match(explained?.about ?? '', /"post" \(WordPress\)/);
    assert.deepEqual(
      explained?.details.map(({ name }) => name),
      ['display:title', 'cols:2', 'new:1'],
    );
    assert.ok(!explained?.details.some(({ about }) => about.includes('no effect')));
    assert.equal(explained?.result, undefined);
  });

  it('may have absurd parameters and names', () => {
    const many = `{post:12|${'dispaly:x|'.repeat(10_000)}display:title}`;
    assert.ok(find('body', many).length <= 200);
    assert.match(render(many), /Sample: post 12/);
    assert.ok((explainTag(many, 3, language)?.details.length ?? 0) <= 40);
    assert.match(render(`{autopost:|display:${'title,'.repeat(10_000)}|cols:99999|max:9999999}`), /Sample/);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      assert.equal(find('body', `{${name}:1|x:y}`)[0]?.severity, 'info');
      assert.match(render(`{post:1|${name}:1|display:${name},title|format:${name}}`), /Sample: post 1/);
      assert.deepEqual(find('body', `{post:1|${name}:1|display:title}`), []);
      assert.equal(
        renderTags(`{${name}:1}`, readTagLanguage({ base: 'acymailing', families: { [name]: {} } }), rendering()).pieces
          .length,
        1,
      );
    }
    assert.ok(!render('{cbtag:<script>"&lt;img&gt;}').includes('<img'));
  });
});
