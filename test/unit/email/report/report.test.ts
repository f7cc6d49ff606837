import assert from 'node:assert/strict';
import { createReport, type ReviewedEmail } from '../../../../src/email/report/index.ts';
import { describeChanges, findChangedBlocks } from '../../../../src/email/report/changes.ts';
import { parseSource, type SourceNode } from '../../../../src/email/html/sourceMap.ts';

const review = (body: string, more: Partial<ReviewedEmail> = {}): ReviewedEmail => ({
  name: 'Welcome',
  email: { body, subject: 'Hello', preheader: 'Soon' },
  sending: { profile: 'acymailing', site: 'https://shop.example' },
  checks: { profile: 'acymailing' },
  pictures: new Map(),
  omittedPictures: new Set(),
  ...more,
});

function listElements(html: string): readonly SourceNode[] {
  const list = (node: SourceNode): readonly SourceNode[] => [node, ...node.children.flatMap(list)];
  return list(parseSource(html));
}

/** Returns the documents in the frames of a report. */
const readFrames = (report: string): readonly string[] =>
  listElements(report).flatMap(({ name, attribute }) => (name === 'iframe' ? [attribute('srcdoc') ?? ''] : []));

const find = (before: string, after: string): readonly [before: string[], after: string[]] => {
  const changes = findChangedBlocks(before, after);
  assert.ok(changes);
  return [
    changes.before.map(({ start, end }) => before.slice(start, end)),
    changes.after.map(({ start, end }) => after.slice(start, end)),
  ];
};

describe('Changed blocks', () => {
  it('are the innermost blocks that differ, regardless of white space', () => {
    const body = '<body><table><tr><td><p>One</p><p>Two <b>bold</b></p></td></tr></table></body>';
    assert.deepEqual(find(body, body.replace('bold', 'strong')), [
      ['<p>Two <b>bold</b></p>'],
      ['<p>Two <b>strong</b></p>'],
    ]);
    assert.deepEqual(find(body, body.replaceAll('><p', '>\n  <p')), [[], []]);
    assert.deepEqual(find(body, body.replace('<p>One</p>', '')), [['<p>One</p>'], []]);
  });

  it('include a block around others if its start tag or a link around them changes', () => {
    const body = '<body><div bgcolor="#fff"><p>One</p></div><a href="/a"><img src="a.png"></a></body>';
    assert.deepEqual(find(body, body.replace('#fff', '#000'))[1], ['<div bgcolor="#000"><p>One</p></div>']);
    assert.deepEqual(find(body, body.replace('/a', '/b'))[1], ['<a href="/b"><img src="a.png"></a>']);
    assert.deepEqual(find(body, body.replace('a.png', 'b.png'))[1], ['<img src="b.png">']);
  });

  it('say if nothing can be outlined', () => {
    const body = '<head><title>One</title></head><body><p>Two</p></body>';
    const after = body.replace('One', 'Three');
    assert.equal(
      describeChanges(body, after, findChangedBlocks(body, after)),
      'Changed only in styles, the head, or white space',
    );
    const different = ['a', 'b'].map((name) =>
      Array.from({ length: 2000 }, (_, index) => `<p>${name}${index}</p>`).join(''),
    );
    const [one = '', other = ''] = different;
    assert.equal(findChangedBlocks(one, other), undefined);
    assert.equal(
      describeChanges(one, other, undefined),
      "Changes aren't marked: the versions are too large or too different.",
    );
    assert.equal(findChangedBlocks('<b>'.repeat(1000), ''), undefined);
  });
});

describe('Review report', () => {
  it('shows each email as it is sent, beside the version before', () => {
    const before = { body: '<p>One</p><p>Two</p>', subject: 'Hi' };
    const report = createReport([review('<p>One</p><p>Three</p><p><a href="/news">News</a></p>', { before })], 'HEAD');
    const [old = '', desktop = '', phone = '', dark = '', ...others] = readFrames(report);
    assert.equal(others.length, 0);
    assert.match(old, /<p data-mailing-changed>Two</u);
    assert.match(desktop, /<p>One<.*<p data-mailing-changed>Three</su);
    assert.doesNotMatch(phone, /<p data-mailing-changed>/u);
    assert.match(dark, /rgb\(/u);
    assert.match(report, /<del>Hi<\/del> <ins>Hello<\/ins>/u);
    assert.match(report, /<li><a href="https:\/\/shop\.example\/news"/u);
    assert.match(report, /<figcaption>Before \(HEAD\)<.*<figcaption>After<.*<figcaption>Phone</su);
    assert.match(createReport([review('<p>One</p>')], 'HEAD'), /<figcaption>Desktop</u);
  });

  it('folds emails without changes', () => {
    const isOpen = (before: ReviewedEmail['before']) =>
      /<details open>/u.test(createReport([review('<p>One</p>', { before })], 'HEAD'));
    const same = { body: '<p>One</p>', subject: 'Hello', preheader: 'Soon' };
    assert.deepEqual([same, { ...same, subject: 'Hi' }, { ...same, body: '<p>1</p>' }, undefined].map(isOpen), [
      false,
      true,
      true,
      true,
    ]);
  });

  it('has no script, and nothing that acts without one, whatever an email contains', () => {
    const hostile = `"><script>alert(1)</script><<base href="https://evil.example">script>alert(2)</script>
      <meta http-equiv="refresh" content="0;url=https://evil.example"><link rel="preconnect" href="https://evil.example">
      <img src="x" onerror="alert(3)"><a href="javascript:alert(4)">a</a><iframe srcdoc="<script>alert(5)</script>"></iframe>
      <form action="https://evil.example"><button formaction="https://evil.example">b</button></form>`;
    const reviewed = review(hostile, {
      name: hostile,
      omittedPictures: new Set([hostile]),
      before: { body: hostile, subject: hostile },
    });
    const report = createReport(
      [{ ...reviewed, email: { body: hostile, subject: hostile, preheader: hostile } }],
      hostile,
    );
    const documents = [report, ...readFrames(report)];
    assert.equal(documents.length, 5);
    for (const html of documents) {
      assert.match(
        html,
        /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:/u,
      );
      for (const { name, attributes = {}, attribute } of listElements(html)) {
        assert.ok(!['script', 'base', 'object', 'link'].includes(name), name);
        assert.ok(name !== 'iframe' || attribute('sandbox') === '', 'sandboxed');
        assert.deepEqual(
          Object.keys(attributes).filter((key) => /^(?:on|action|formaction)/u.test(key)),
          [],
        );
        assert.doesNotMatch(attribute('href') ?? '', /javascript/u);
        assert.notEqual(attribute('http-equiv'), 'refresh');
      }
    }
  });

  it('includes pictures, names those left out, and lists remote ones as links', () => {
    const body =
      '<img src="images/a.png"><img src="https://cdn.example/b.png"><p style="background: url(images/a.png)">x</p>';
    const pictures = new Map([['https://shop.example/images/a.png', 'data:image/png;base64,AAAA']]);
    const report = createReport([review(body, { pictures, omittedPictures: new Set(['images/large.png']) })], 'HEAD');
    for (const frame of readFrames(report)) assert.equal(frame.match(/data:image\/png;base64,AAAA/gu)?.length, 2);
    assert.match(report, /up to 2,048 KB each and 4,096 KB in total/u);
    assert.match(report, /images\/large\.png/u);
    assert.match(report, /<a href="https:\/\/cdn\.example\/b\.png"/u);
  });

  it('says that an email is too large to show', () => {
    const [frame = ''] = readFrames(createReport([review(`<p>${'<b>'.repeat(1000)}x</p>`)], 'HEAD'));
    assert.match(frame, /too large to show/u);
  });

  it("keeps the reader's dark mode out of the light versions", () => {
    const body = '<style>@media (prefers-color-scheme: dark) { p { color: red } }</style><p>x</p>';
    const [desktop = '', , dark = ''] = readFrames(createReport([review(body)], 'HEAD'));
    assert.match(desktop, /max-width: ?0px/u);
    assert.match(dark, /min-width: ?0px/u);
  });
});
