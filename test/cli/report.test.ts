import assert from 'node:assert/strict';
import { CommandLine } from '../support/commandLine.ts';

const png = Buffer.from('iVBORw0KGgo=', 'base64');
const mapping = {
  templates: [{ folder: 'emails/one', ids: { live: 1 } }],
  assets: { images: 'https://cdn.example/i' },
  connections: { live: { baseUrl: 'https://shop.example', profile: 'acymailing' } },
};

describe('mailing report', () => {
  let mailing: CommandLine;

  before(async () => {
    mailing = await CommandLine.build();
  });
  beforeEach(() => mailing.clear());
  after(() => mailing.dispose());

  async function commit() {
    await mailing.git('add', '.');
    await mailing.git('commit', '--quiet', '--message', 'Change');
  }

  it('writes emails beside their versions in git, with the pictures of the workspace', async () => {
    await mailing.git('init', '--quiet');
    mailing.write({
      'mailing.json': JSON.stringify(mapping),
      'emails/one/body.html': '<p>Old words</p><img src="../../images/a.png" alt="">',
      'emails/one/template.json': '{ "name": "One", "subject": "Old subject" }',
      'images/a.png': png,
    });
    await commit();
    mailing.write({
      'emails/one/body.html': '<p>New words</p><img src="../../images/a.png" alt="">',
      'emails/one/template.json': '{ "name": "One", "subject": "New subject" }',
    });
    const { code, stderr } = await mailing.run(['report', '-o', 'report.html']);
    assert.deepEqual([code, stderr], [0, 'Emails in the report: 1.\n']);
    const report = mailing.read('report.html');
    assert.match(report, /<del>Old subject<\/del> <ins>New subject<\/ins>/u);
    assert.match(report, /data-mailing-changed&gt;Old words|data-mailing-changed[^&]*&gt;Old words/u);
    assert.equal(report.match(/src=&quot;data:image\/png;base64,iVBORw0KGgo=&quot;/gu)?.length, 4);
    assert.match(report, /1 changed block/u);
  });

  it('names the linked parts whose update is all that changed in an email', async () => {
    const use = (text: string) => `<p>Hi</p><!-- part: footer --><p>${text}</p><!-- /part -->`;
    await mailing.git('init', '--quiet');
    mailing.write({
      'mailing.json': JSON.stringify({ templates: ['one', 'two'].map((folder) => ({ folder })) }),
      'mailing-parts/footer.html': '<p>Old</p>',
      'one/body.html': use('Old'),
      'two/body.html': use('Old'),
    });
    await commit();
    mailing.write({
      'mailing-parts/footer.html': '<p>New</p>',
      'one/body.html': use('New'),
      'two/body.html': use('New').replace('Hi', 'Hello'),
    });
    const { stdout } = await mailing.run(['report']);
    assert.match(stdout, /one<\/a> · 1 changed block · changed by part footer ·/u);
    assert.match(stdout, /two<\/a> · 2 changed blocks · \d/u);
  });

  it('leaves out emails without changes since a revision, and names new ones', async () => {
    await mailing.git('init', '--quiet');
    mailing.write({ 'a.html': '<p>A</p>', 'b.html': '<p>B</p>' });
    await commit();
    mailing.write({ 'a.html': '<p>Other</p>', 'c.html': '<p>C</p>' });
    const { stdout } = await mailing.run(['report', '.', '--changed']);
    assert.match(stdout, /href="#email-1">a<\/a> · 1 changed block/u);
    assert.match(stdout, /href="#email-2">c<\/a> · New/u);
    assert.doesNotMatch(stdout, /email-3/u);
    const { stderr } = await mailing.run(['report', '.', '--changed', 'main']);
    assert.equal(stderr, 'No file matches "main".\nCheck the path. Write a revision with "=": --changed=main.\n');
  });

  it('works without git, and reads no picture outside of the folder', async () => {
    mailing.write({ 'in/a.html': '<img src="../secret.png"><img src="b.png">', 'secret.png': png, 'in/b.png': png });
    const { code, stdout } = await mailing.run(['report', 'a.html'], { cwd: 'in' });
    assert.equal(code, 0);
    assert.equal(stdout.match(/data:image/gu)?.length, 3);
    assert.match(stdout, /· New ·/u);
  });
});
