import assert from 'node:assert/strict';
import { findWorkflowProblems } from '../../../scripts/lib/workflows.mjs';
import { filesIn } from '../../../scripts/lib/paths.mjs';
import { read, readJson } from '../../support/manifest.ts';

const names = filesIn('.github/workflows');
const hash = '0123456789abcdef0123456789abcdef01234567';

/** @returns a workflow with one step */
const workflow = (step: string) =>
  `on: push\npermissions: {}\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      - ${step}\n`;
const check = (step: string) => findWorkflowProblems('a.yml', workflow(step));

describe('Workflows', function () {
  it('are valid, and pin all actions', async () => {
    assert.ok(names.length >= 4);
    for (const name of names) assert.deepEqual(await findWorkflowProblems(name, read(name)), []);
  });

  it('use each action in one version', () => {
    const used = names.flatMap((name) => [...read(name).matchAll(/uses: ([\w-]+\/[\w-]+)\S*@(\w+)/gu)]);
    const versions = new Set(used.map(([, action, commit]) => `${action} ${commit}`));
    const actions = new Set(used.map(([, action]) => action));
    assert.deepEqual([...versions].length, actions.size, [...versions].join('\n'));
  });

  it('run scripts that exist', () => {
    const { scripts } = readJson<{ readonly scripts: Readonly<Record<string, string>> }>('package.json');
    const run = names.flatMap((name) => [...read(name).matchAll(/npm run ([\w:-]+)(\$)?/gu)]);
    assert.ok(run.length > 5);
    for (const [command, script = '', isMatrix] of run)
      assert.ok(isMatrix ? script === 'test:' : Object.hasOwn(scripts, script), command);
    const [, parts = ''] = /part: \[(.+)\]/u.exec(read('.github/workflows/ci.yml')) ?? [];
    for (const part of parts.split(', ')) assert.ok(Object.hasOwn(scripts, `test:${part}`), part);
  });

  it('grant only what a job needs, and keep no credentials', () => {
    for (const name of names) {
      const text = read(name);
      assert.match(text, /^permissions:(?: \{\}|\n  contents: read\n\n)/mu, name);
      assert.equal(text.split('actions/checkout@').length, text.split('persist-credentials: false').length, name);
      assert.doesNotMatch(text, /pull_request_target|write-all|secrets: inherit/u, name);
      // Texts that others write, such as titles and branches, must not become code.
      assert.doesNotMatch(text, /run: .*\$\{\{ (?:github\.(?:event|head_ref|ref_name)|inputs)/u, name);
    }
  });

  it('must pin actions by commit', async () => {
    assert.deepEqual(await check(`uses: a/b@${hash} # v1.2.3`), []);
    assert.deepEqual(await check('uses: a/b@v1'), ["a.yml:7:1: a/b@v1 isn't pinned."]);
    assert.equal((await check(`uses: a/b@${hash}`)).length, 1);
  });

  it('must be valid', async () => {
    const [problem] = await check('run: echo ${{ github.nothing.at.all');
    assert.match(problem ?? '', /^a\.yml:7:\d+: /u);
  });
});
