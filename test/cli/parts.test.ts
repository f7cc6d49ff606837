import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine } from '../support/commandLine.ts';

const footer = '<p><!-- slot: reason -->You ordered.<!-- /slot --></p>';
const old =
  '<h1>Hi</h1>\r\n<!-- part: footer -->old<!-- slot: reason -->You asked.\r\n<!-- /slot --><!-- /part -->\r\n';
const updated = old.replace('old', '<p>').replace('<!-- /slot -->', '<!-- /slot --></p>');

describe('mailing parts', () => {
  let mailing: CommandLine;

  before(async () => {
    mailing = await CommandLine.build();
  });
  beforeEach(() => {
    mailing.clear();
    mailing.write({
      'mailing.json':
        '{ "templates": [{ "folder": "one" }, { "folder": "two", "output": "dist/two.html", "source": ["src", "two.html"] }], "checks": { "files": ["campaigns/*.html", "mailing-parts/*"] } }',
      'mailing-parts/footer.html': footer,
    });
  });
  after(() => mailing.dispose());

  it('lists the emails that need an update, and writes them', async () => {
    mailing.write({
      'one/body.html': old,
      'dist/two.html': old,
      'src/in/two.html': old,
      'src/two.mjml': old,
      'two.html': updated,
      'campaigns/a.html': '<p>No parts</p>',
      'other.html': old,
    });
    const checked = await mailing.run(['parts', '--check']);
    assert.deepEqual(checked, {
      ...{ code: 1, stdout: 'one/body.html\nsrc/in/two.html\n', stderr: 'Emails to update: 2 of 4.\n' },
    });
    assert.equal(mailing.read('one/body.html'), old);
    const written = await mailing.run(['parts', '--write']);
    assert.deepEqual(written, { ...checked, code: 0, stderr: 'Emails updated: 2 of 4.\n' });
    for (const path of ['one/body.html', 'src/in/two.html', 'two.html']) assert.equal(mailing.read(path), updated);
    for (const path of ['dist/two.html', 'src/two.mjml', 'other.html']) assert.equal(mailing.read(path), old);
    assert.deepEqual((await mailing.run(['parts', '--check', '--quiet'])).code, 0);
    assert.equal((await mailing.run(['parts', '--check', 'other.html'])).stdout, 'other.html\n');
  });

  it('reports problems at their places, and leaves these parts alone', async () => {
    const text = `${old}<p>\r\n<!-- part: header -->x<!-- /part --> <!-- /slot -->\n`;
    mailing.write({ 'one/body.html': text });
    const { code, stdout, stderr } = await mailing.run(['parts', '--write', 'one/body.html']);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^one\/body\.html:5:1: There is no part "header"\. [^\n]+\none\/body\.html:5:38: This mark ends nothing[^\n]+\none\/body\.html\n$/u,
    );
    assert.match(stderr, /updated: 1 of 1\. 2 problems\.\n$/u);
    assert.equal(mailing.read('one/body.html'), text.replace(old, updated));
    assert.equal((await mailing.run(['parts', '--check', 'one/body.html'])).code, 1);
  });

  it('prints emails without marks', async () => {
    mailing.write({ 'a.html': updated });
    const { code, stdout } = await mailing.run(['parts', '--strip', 'a.html']);
    assert.deepEqual([code, stdout], [0, '<h1>Hi</h1>\r\n<p>You asked.\r\n</p>\r\n']);
    assert.equal(mailing.read('a.html'), updated);
  });

  it('are checked by rules of mailing check, at their places in the file', async () => {
    mailing.write({
      'mailing.json':
        '{ "templates": [{ "folder": "one" }], "assets": { "one/img": "https://cdn.example.com/mail/images" }, "checks": { "files": ["mailing-parts/*"] } }',
      'one/body.html': `<img src="img/a.png" alt="x" width="9">\n${old}<!-- part: header -->x<!-- /part -->\n`,
    });
    const check = async (...args: readonly string[]) => {
      const { stdout } = await mailing.run(['check', '--format', 'json', ...args]);
      const { findings } = JSON.parse(stdout) as {
        findings: { name: string; path: string; start: { line: number } }[];
      };
      return findings
        .filter(({ name }) => /^part-|^slot-/u.test(name))
        .map(({ name, path, start: { line } }) => `${path}:${line} ${name}`);
    };
    assert.deepEqual(await check(), ['one/body.html:3 part-outdated', 'one/body.html:5 part-unknown']);
    await mailing.run(['parts', '--write']);
    assert.deepEqual(await check(), ['one/body.html:5 part-unknown']);
  });

  it('names files that no mark can name', async () => {
    mailing.write({
      'one/body.html': '<p>Hi</p>',
      'mailing-parts/My Footer.html': footer,
      'mailing-parts/constructor.html': 'x',
    });
    const { code, stderr } = await mailing.run(['parts', '--check', 'one/body.html']);
    assert.equal(code, 0);
    assert.match(stderr, /^Left mailing-parts\/My Footer\.html alone/u);
  });

  it('follows no link out of the repository', async () => {
    mailing.write({
      'in/mailing.json': '{ "templates": [{ "folder": "one" }] }',
      'in/one/body.html': old,
      'out/footer.html': footer,
    });
    await mailing.git('init', '-q', 'in');
    symlinkSync(join(mailing.folder, 'out'), join(mailing.folder, 'in/mailing-parts'), 'junction');
    const { code, stdout, stderr } = await mailing.run(['parts', '--write'], { cwd: 'in' });
    assert.deepEqual([code, stdout, mailing.read('in/one/body.html')], [2, '', old]);
    assert.match(stderr, /points outside the workspace folder/u);
  });

  it('refuses a command without an action or a mapping', async () => {
    mailing.write({ 'a.html': old });
    for (const args of [[], ['--check', '--write'], ['--write', 'none.html']]) {
      const { code, stderr } = await mailing.run(['parts', ...args]);
      assert.deepEqual([code, stderr.split('\n').length], [2, 3], stderr);
    }
    mailing.clear();
    mailing.write({ 'a.html': old });
    assert.match((await mailing.run(['parts', '--check', 'a.html'])).stderr, /no mailing\.json/u);
  });
});
