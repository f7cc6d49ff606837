import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import Ajv from 'ajv-draft-04';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { check } from '../../src/email/checks/index.ts';
import { CommandLine, type Run } from '../support/commandLine.ts';
import { readJson as readManifest } from '../support/manifest.ts';

/** Has one error, one warning and a hint, at least. */
const faulty =
  '<!doctype html>\n<html lang="en"><head><title>x</title></head>\n<body>\n<img src="a.png">\n<p>Hi {subscriber:nam}</p>\n</body></html>\n';
const plain = '<p>Hello</p>\n';

interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

interface JsonReport {
  readonly emails: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly {
    readonly path: string;
    readonly part: string;
    readonly rule: string;
    readonly name: string;
    readonly severity: string;
    readonly message: string;
    readonly start: Position;
    readonly related: readonly { readonly path: string; readonly start: Position }[];
  }[];
}

describe('mailing check', () => {
  let mailing: CommandLine;

  before(async () => {
    mailing = await CommandLine.build();
  });
  beforeEach(() => mailing.clear());
  after(() => mailing.dispose());

  const readJson = ({ stdout }: Run) => JSON.parse(stdout) as JsonReport;
  const checkJson = async (...args: string[]) => readJson(await mailing.run(['check', '--format', 'json', ...args]));

  it('reports the same findings as the editor', async () => {
    mailing.write({ 'a.html': faulty });
    const { findings } = await checkJson('a.html', '--profile', 'acymailing');
    const expected = check({ body: faulty }, { profile: 'acymailing' });
    assert.ok(expected.length > 2);
    assert.deepEqual(
      findings.map(({ rule, severity, message, start }) => ({ rule, severity, message, start: start.offset })),
      expected.map(({ rule, severity, message, start }) => ({ rule, severity, message, start })),
    );
  });

  it('exits with 0 without findings, 1 with findings, and 2 if it could not run', async () => {
    mailing.write({ 'a.html': faulty, 'clean.html': '<p lang="en" style="font-size:16px">Hello</p>\n' });
    const clean = await mailing.run(['check', 'clean.html']);
    assert.deepEqual([clean.code, clean.stdout], [0, 'No problems in 1 email.\n']);
    const found = await mailing.run(['check', 'a.html', 'clean.html']);
    assert.equal(found.code, 1);
    assert.match(found.stdout, /^a\.html\n +\d+:\d+ +\w+ /u);
    assert.match(found.stdout, /\d+ problems \(.+\) in 2 emails\.\n$/u);
    assert.equal(found.stderr, '');
    assert.equal((await mailing.run(['check', 'missing.html'])).code, 2);
    assert.equal((await mailing.run(['check', '--no-such-option'])).code, 2);
    assert.equal((await mailing.run(['check', 'a.html', '--max-warnings', '100'])).code, 0);
    assert.equal((await mailing.run(['check', 'a.html', '--max-warnings', '0'])).code, 1);
    assert.equal((await mailing.run(['check', 'a.html', '--fail-level', 'error'])).code, 0);
    assert.equal((await mailing.run(['check', 'a.html', '--fail-level', 'none', '--max-warnings', '0'])).code, 1);
    assert.equal((await mailing.run(['check', 'a.html', '--fail-level', 'hint', '--max-warnings', '100'])).code, 1);
  });

  it('checks mapped templates and the files that mailing.json names', async () => {
    mailing.write({
      'mailing.json': '{ "templates": [{ "folder": "one" }], "checks": { "files": ["campaigns/**"] } }',
      'one/body.html': plain,
      'campaigns/2026/a.html': plain,
      'campaigns/notes.txt': '',
      'other.html': plain,
    });
    assert.deepEqual((await checkJson()).emails, ['one/body.html', 'campaigns/2026/a.html']);
    mailing.write({ 'mailing.json': '{ "templates": [], "checks": { "files": ["../**"] } }' });
    const outside = await mailing.run(['check']);
    assert.match(outside.stderr, /^mailing\.json:1:\d+: .*must be a path below the folder/u);
  });

  it('writes no report or baseline through a link out of the repository', async () => {
    mailing.write({ 'in/a.html': faulty, 'out/keep.txt': 'mine' });
    await mailing.git('init', '-q', 'in');
    symlinkSync(join(mailing.folder, 'out/keep.txt'), join(mailing.folder, 'in/report.txt'));
    symlinkSync(join(mailing.folder, 'out'), join(mailing.folder, 'in/reports'));
    for (const option of ['--output=report.txt', '--baseline=report.txt', '--output=reports/new.txt']) {
      const { code, stderr } = await mailing.run(['check', 'a.html', option], { cwd: 'in' });
      assert.deepEqual([code, /points outside the workspace folder\.\n[^\n]+\n$/u.test(stderr)], [2, true], stderr);
    }
    assert.deepEqual([mailing.read('out/keep.txt'), readdirSync(join(mailing.folder, 'out'))], ['mine', ['keep.txt']]);
    // A path outside is the user's choice.
    assert.equal((await mailing.run(['check', 'a.html', '-o', '../out/new.txt'], { cwd: 'in' })).code, 1);
    assert.match(mailing.read('out/new.txt'), /image-alt/u);
  });

  it('escapes links of an email in SARIF', async () => {
    mailing.write({ 'a.html': '<p>{foo:[Log in](https://evil.example)}</p>' });
    const { stdout } = await mailing.run(['check', 'a.html', '-f', 'sarif', '--profile', 'acymailing']);
    const { runs } = JSON.parse(stdout) as { runs: [{ results: { message: { text: string } }[] }] };
    const texts = runs[0].results.map(({ message }) => message.text).filter((text) => text.includes('Log in'));
    assert.ok(texts.length > 0 && texts.every((text) => text.includes('\\[Log in\\](https')), texts.join('\n'));
  });

  it('writes SARIF that its schema accepts', async () => {
    mailing.write({ 'emails/a b.html': faulty });
    await mailing.git('init', '-q');
    const { code } = await mailing.run(['check', '.', '-f', 'sarif', '-o', '../out.sarif', '--profile', 'acymailing'], {
      cwd: 'emails',
    });
    assert.equal(code, 1);
    const sarif: unknown = JSON.parse(mailing.read('out.sarif'));
    const schemaPath = createRequire(import.meta.url)
      .resolve('@microsoft/jest-sarif')
      .replace(/index\.js$/u, 'schemas/sarif-2.1.0-rtm.5.json');
    const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, allErrors: true });
    const isValid = ajv.compile(JSON.parse(readFileSync(schemaPath, 'utf8')) as object);
    assert.ok(isValid(sarif), JSON.stringify(isValid.errors));
    const [result] = (sarif as { runs: [{ results: readonly Record<string, unknown>[] }] }).runs[0].results;
    assert.match(JSON.stringify(result?.['locations']), /"uri":"emails\/a%20b\.html"/u);
    assert.match(JSON.stringify(result?.['partialFingerprints']), /"[0-9a-f]{32}"/u);
    assert.match(JSON.stringify(sarif), /"fixes":\[\{"description"/u);
  });

  it('writes valid JUnit, code quality, annotations and Markdown', async () => {
    mailing.write({
      'a.html': `${faulty}<p style="color:#777;background:#888">| \u001b[31m](command:x)</p>`,
      'b.html': plain,
    });
    const junit = (await mailing.run(['check', 'a.html', 'b.html', '-f', 'junit'])).stdout;
    assert.equal(XMLValidator.validate(junit), true);
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(junit) as {
      testsuites: { '@_failures': string; testsuite: { '@_name': string }[] };
    };
    const { findings } = await checkJson('a.html', 'b.html');
    assert.equal(Number(testsuites['@_failures']), findings.length);
    assert.deepEqual(
      testsuites.testsuite.map((suite) => suite['@_name']),
      ['a.html', 'b.html'],
    );
    const quality = JSON.parse((await mailing.run(['check', 'a.html', '-f', 'gitlab'])).stdout) as {
      fingerprint: string;
      severity: string;
      location: { path: string; lines: { begin: number } };
    }[];
    assert.equal(new Set(quality.map(({ fingerprint }) => fingerprint)).size, quality.length);
    assert.ok(quality.every(({ location }) => location.path === 'a.html' && location.lines.begin > 0));
    const annotated = await mailing.run(['check', 'a.html'], { env: { GITHUB_ACTIONS: 'true' } });
    assert.match(annotated.stdout, /^::(?:error|warning|notice) file=a\.html,line=\d+,endLine=\d+/u);
    const markdown = (await mailing.run(['check', 'a.html', '-f', 'markdown'])).stdout;
    assert.match(markdown, /^\| warning \| a&#46;html&#58;4 \| .+ \| \[image-alt\]/mu);
    for (const text of [junit, annotated.stdout, markdown]) assert.ok(!text.includes('\u001b'));
  });

  it('prints one line for the places of a problem, with their number', async () => {
    mailing.write({ 'a.html': '<p lang="en">Hi</p>\n<img src="https://x.example/a.png" width="9">'.repeat(14) });
    for (const format of ['stylish', 'github', 'markdown']) {
      const { stdout } = await mailing.run(['check', 'a.html', '-f', format]);
      const lines = stdout.split('\n').filter((line) => line.includes('image-alt'));
      assert.equal(lines.length, 1, stdout);
      assert.match(lines[0] ?? '', format === 'markdown' ? /&#40;&#43;13 more&#41;/u : /\(\+13 more\)/u);
    }
    mailing.write({ 'b.html': '<p lang="en">Hi</p><img src="https://x.example/a.png" width="9">' });
    assert.doesNotMatch((await mailing.run(['check', 'b.html'])).stdout, /more/u);
  });

  it('prints what the problem matcher of the editor reads', async () => {
    mailing.write({ 'emails/a.html': faulty });
    const { contributes } = readManifest<{
      contributes: { problemMatchers: [{ pattern: [{ regexp: string }, { regexp: string }] }] };
    }>('package.json');
    const [file, problem] = contributes.problemMatchers[0].pattern.map(({ regexp }) => new RegExp(regexp, 'u'));
    const [path = '', ...lines] = (await mailing.run(['check', 'emails/a.html'])).stdout.split('\n');
    assert.equal(file?.exec(path)?.[1], 'emails/a.html');
    const problems = lines.slice(0, lines.indexOf('')).map((line) => problem?.exec(line)?.slice(1));
    const [, , severity, message, name] = problems.find((match) => match?.[4] === 'image-alt') ?? [];
    assert.deepEqual([severity, name], ['warning', 'image-alt']);
    assert.ok(message !== undefined && problems.every((match) => match !== undefined));
  });

  it('uses the configuration in mailing.json, and flags before it', async () => {
    mailing.write({
      'a.html': faulty,
      'mailing.json':
        '{ "templates": [], "checks": { "clients": ["Gmail"], "rules": { "image-alt": "error", "font-size": "off" } } }',
    });
    const { findings } = await checkJson('a.html');
    assert.equal(findings.find(({ name }) => name === 'image-alt')?.severity, 'error');
    assert.ok(!findings.some(({ name }) => name === 'font-size'));
    const unknown = await mailing.run(['check', 'a.html', '--clients', 'Nobody Mail']);
    assert.deepEqual([unknown.code, unknown.stderr.split('\n')[0]], [2, 'There is no mail client "Nobody Mail".']);
  });

  it('checks the body, the stylesheet and the details of a mapped folder together', async () => {
    mailing.write({
      'mailing.json':
        '{ "templates": [{ "folder": "emails/one", "output": "dist/one.html" }], "assets": { "emails/img": "https://cdn.example/mail" }, "checks": { "profile": "acymailing" } }',
      'dist/one.html': '<p>Hi</p>\n<img src="../emails/img/a.png" alt="Logo" width="10"><p>{subscriber:nam}</p>\n',
      'emails/one/style.css': 'p { position: fixed }\n',
      'emails/one/template.json': '{\n  "name": "One",\n  "subject": "\\u0048i {subscriber:nam}"\n}\n',
    });
    const { findings, emails } = await checkJson();
    assert.deepEqual(emails, ['dist/one.html']);
    const at = (path: string, name: string) =>
      findings
        .filter((each) => each.name === name)
        .flatMap(({ related, ...first }) => [first, ...related])
        .find((each) => each.path === path)?.start;
    assert.deepEqual(at('emails/one/template.json', 'unknown-tag'), { offset: 53, line: 3, column: 35 });
    // After an image whose path is shorter than its address.
    assert.equal(at('dist/one.html', 'unknown-tag')?.column, 69);
    assert.ok(!findings.some(({ message }) => message.includes('img/a.png')));
    assert.ok(findings.some(({ path }) => path === 'emails/one/style.css'));
    // One of its files selects the whole template.
    assert.deepEqual((await checkJson('emails/one/style.css')).findings, findings);
  });

  it('checks stdin and ignored rules', async () => {
    const run = await mailing.run(['check', '--stdin-filename', 'x/y.html', '-f', 'json'], {
      stdin: `<!-- mailing-ignore image-alt -->\n${faulty}`,
    });
    const { findings } = readJson(run);
    assert.ok(findings.length > 0 && findings.every(({ path }) => path === 'x/y.html'));
    assert.ok(!findings.some(({ name }) => name === 'image-alt'));
  });

  it('leaves out the findings of a baseline, wherever they move', async () => {
    mailing.write({ 'a.html': faulty });
    const written = await mailing.run(['check', 'a.html', '--baseline', 'known.json']);
    assert.equal(written.code, 0);
    assert.match(written.stderr, /^Wrote \d+ known findings to known\.json\./u);
    mailing.write({ 'a.html': faulty.replace('<body>', '<body>\n\n<p>New</p>') });
    const unchanged = await mailing.run(['check', 'a.html', '--baseline', 'known.json']);
    assert.equal(unchanged.code, 0);
    const [known] = /\d+(?= known findings)/u.exec(written.stderr) ?? [];
    assert.equal(unchanged.stdout, `No new problems in 1 email, ${known} known.\n`);
    mailing.write({ 'a.html': faulty.replace('</body>', '<img src="a.png"></body>') });
    const worse = await mailing.run(['check', 'a.html', '--baseline', 'known.json']);
    assert.match(worse.stdout, /\d+ problems? \(.+\) in 1 email, \d+ known\.\n$/u);
    const { findings } = await checkJson('a.html', '--baseline', 'known.json');
    assert.deepEqual([...new Set(findings.map(({ start }) => start.line))], [6]);
    mailing.write({ 'known.json': '[]' });
    assert.equal((await mailing.run(['check', 'a.html', '--baseline', 'known.json'])).code, 2);
  });

  it('looks for emails through no link, which may lead anywhere', async () => {
    mailing.write({ 'in/e/a.html': faulty, 'out/b.html': faulty, 'out/mailing.people.json': '{}' });
    for (const target of ['in/e', 'out'])
      symlinkSync(join(mailing.folder, target), join(mailing.folder, 'in', `to-${basename(target)}`));
    const { stdout, stderr } = await mailing.run(['check', '.', '--format', 'json'], { cwd: 'in' });
    const { emails } = JSON.parse(stdout || '{}') as { readonly emails?: readonly string[] };
    assert.deepEqual([emails, stderr], [['e/a.html'], '']);
    const sent = await mailing.run(['sent', 'e/a.html', '--as', 'typical'], { cwd: 'in' });
    assert.deepEqual([sent.code, sent.stderr], [0, '']);
  });

  it('fixes no output of a build, which the next build would replace', async () => {
    const built = '<p>Hi</p><img src="https://a.example/b.png" alt="" style="width:100px">';
    mailing.write({
      'mailing.json': JSON.stringify({ templates: [{ folder: 'a', source: 'a.mjml', output: 'a.html' }] }),
      'a.html': built,
    });
    const { stderr } = await mailing.run(['check', '--fix']);
    assert.deepEqual([mailing.read('a.html'), stderr], [built, 'Left a.html alone: a tool builds it.\n']);
  });

  it('fails for an email that is too large to check, also with a baseline', async () => {
    mailing.write({ 'a.html': 'x'.repeat(1024 * 1024 + 1) });
    for (const run of ['first', 'second']) {
      const { code, stderr } = await mailing.run(['check', 'a.html', '--baseline', 'known.json']);
      assert.deepEqual([code, /Couldn't check a\.html\./u.test(stderr)], [2, true], run);
    }
  });

  it('checks only what changed since a revision', async () => {
    mailing.write({ 'a.html': faulty, 'b.html': faulty });
    await mailing.git('init', '-q');
    await mailing.git('add', '.');
    await mailing.git('commit', '-qm', 'One');
    assert.deepEqual((await checkJson('*.html', '--changed')).emails, []);
    mailing.write({ 'b.html': plain, 'c.html': plain });
    assert.deepEqual((await checkJson('*.html', '--changed')).emails, ['b.html', 'c.html']);
    await mailing.git('add', '.');
    await mailing.git('commit', '-qm', 'Two');
    assert.deepEqual((await checkJson('*.html', '--changed=HEAD~1')).emails, ['b.html', 'c.html']);
    for (const revision of ['--output=x', 'main ', 'no such branch', '']) {
      const { code, stderr } = await mailing.run(['check', '*.html', `--changed=${revision}`]);
      assert.deepEqual([code, stderr.split('\n')[0]], [2, `There is no revision "${revision}".`]);
      assert.match(stderr, /^[^\n]+\n[^\n]+\n$/u);
    }
    const named = await mailing.run(['check', '--changed', 'main ']);
    assert.equal(
      named.stderr,
      'No file matches "main ".\nCheck the path. Write a revision with "=": --changed=main.\n',
    );
  });

  it('checks built emails whose sources changed', async () => {
    mailing.write({
      'mailing.json': '{ "templates": [{ "folder": "a", "output": "dist/a.html", "source": "src" }] }',
      'src/a/a.mjml': 'one',
      'dist/a.html': faulty,
      '.gitignore': 'dist\n',
    });
    await mailing.git('init', '-q');
    await mailing.git('add', '.');
    await mailing.git('commit', '-qm', 'One');
    assert.deepEqual((await checkJson('--changed')).emails, []);
    mailing.write({ 'src/a/a.mjml': 'two' });
    assert.deepEqual((await checkJson('--changed')).emails, ['dist/a.html']);
  });

  it('ends when nobody reads its output', async () => {
    mailing.write({ 'a.html': faulty });
    for (const [stream, args, expected] of [
      ['stderr', ['check', 'none.html'], 2],
      ['stdout', ['check', 'a.html'], 1],
    ] as const) {
      const child = spawn(process.execPath, [mailing.main, ...args], { cwd: mailing.folder, timeout: 120_000 });
      child[stream].destroy();
      const [code] = (await once(child, 'exit')) as [number | null];
      assert.equal(code, expected, stream);
    }
  });

  it('fixes what needs no decision', async () => {
    mailing.write({
      'a.html':
        '<!doctype html><html lang="en"><body><table><tr><td>Hello</td></tr></table><a href="www.a.example">Read the news</a></body></html>\n',
    });
    const before = await checkJson('a.html', '--profile', 'acymailing');
    const { code } = await mailing.run(['check', 'a.html', '--fix', '--profile', 'acymailing']);
    assert.ok(code <= 1);
    const after = await checkJson('a.html', '--profile', 'acymailing');
    assert.ok(after.findings.length < before.findings.length, JSON.stringify(before.findings));
  });

  it('formats emails, or reports those that need it', async () => {
    const messy = '<html><body><table><tr>\n\n<td>Hello   \n</td></tr></table></body></html>\n';
    mailing.write({
      'a.html': messy,
      'mailing.json': '{ "templates": [{ "folder": "built", "output": "dist/built.html" }] }',
      'dist/built.html': messy,
    });
    const formatted = (await mailing.run(['format', 'a.html'])).stdout;
    assert.equal(mailing.read('a.html'), messy);
    assert.match(formatted, /^ {2}<body>$/mu);
    const unformatted = await mailing.run(['format', '--check', 'a.html', 'dist/built.html']);
    assert.deepEqual([unformatted.code, unformatted.stdout], [1, 'a.html\n']);
    assert.match(unformatted.stderr, /^Left dist\/built\.html alone: a tool builds it\.$/mu);
    const written = await mailing.run(['format', '--write', 'a.html']);
    assert.deepEqual([written.code, written.stdout, mailing.read('a.html')], [0, 'a.html\n', formatted]);
    assert.equal((await mailing.run(['format', '--check', 'a.html'])).code, 0);
    const tabs = await mailing.run(['format', 'a.html', '--indent', 'tab']);
    assert.match(tabs.stdout, /^\t<body>$/mu);
    for (const args of [['--check', '--write', 'a.html'], ['none.html'], ['a.html', '--indent', 'x']]) {
      const { code, stderr } = await mailing.run(['format', ...args]);
      assert.deepEqual([code, /\n +at /u.test(stderr)], [2, false], stderr);
    }
  });

  it('writes no key into a report', async () => {
    const key = 'test-key-0123456789abcdef';
    mailing.write({ 'a.html': `<p>{${key}}</p>` });
    const env = { MAILING_API_KEY: key };
    await mailing.run(['check', 'a.html', '--profile', 'acymailing', '-f', 'json', '-o', 'out.json'], { env });
    assert.match(mailing.read('out.json'), /isn't a merge tag/u);
    assert.ok(!mailing.read('out.json').includes(key));
  });

  it('explains bad input in two lines', async () => {
    mailing.write({
      'bin.html': Uint8Array.from([60, 0, 255, 254]),
      'nul.html': '<p>\0</p>',
      'big.html': '<p>a</p>'.repeat(1_400_000),
      'long.html': '<p>a</p>'.repeat(200_000),
      'bad/mailing.json': '{\n  "templates": [\n    { "folder": "../out" }\n  ]\n}\n',
      'broken/mailing.json': '{ "templates": [ }',
      'sub/x.html': plain,
    });
    await mailing.git('init', '-q');
    const cases: readonly (readonly [cwd: string, args: readonly string[], line: RegExp])[] = [
      ['', ['check', 'bin.html'], /bin\.html/u],
      ['', ['check', 'nul.html'], /^nul\.html is a binary file/u],
      ['', ['check', 'big.html'], /^big\.html is larger than 10 MB/u],
      ['', ['check', 'long.html'], /^Couldn't check long\.html/u],
      ['', ['check', 'none/*.html'], /^No file matches "none/u],
      ['', ['check', '/etc/hosts'], /^\/etc\/hosts is outside the repository/u],
      ['', ['check', '--config', 'none/mailing.json', 'nul.html'], /^There is no file none\/mailing\.json/u],
      ['bad', ['check'], /^mailing\.json:3:17: /u],
      ['broken', ['check'], /^mailing\.json:1:18: Invalid JSON/u],
      ['sub', ['check'], /^There are no emails to check/u],
    ];
    const runs = await Promise.all(cases.map(([cwd, args]) => mailing.run(args, { cwd })));
    for (const [index, { code, stderr }] of runs.entries()) {
      const [, args, line] = cases[index] ?? [];
      assert.equal(code, 2, `${args} ${stderr}`);
      assert.match(stderr, line ?? /./u);
      assert.match(stderr, /^[^\n]+\n[^\n]+\n$/u, `${args}`);
      assert.doesNotMatch(stderr, /\n +at /u);
    }
  });
});
