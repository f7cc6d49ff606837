import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listSaved, toPath } from './history.ts';
import { makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'test/world/defects');
const COPIED = ['src', 'test/world', 'test/support', 'scripts/lib', 'media/starters', 'package.json', 'tsconfig.json'];

/**
 * Puts back each old defect in a copy of the tree, and reports whether the world finds it: by its saved history, or else by a seed, whose
 * shortest history is then saved. Returns false if it misses one.
 */
export function tryDefects(only: string | undefined, histories: number): boolean {
  const copy = makeScratch();
  for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  let missed = 0;
  for (const file of readdirSync(folder).filter((each) =>
    (only ?? '').split(',').some((part) => each.includes(part)),
  )) {
    const [patch, name] = [join(folder, file), file.replace('.patch', '')];
    removeScratch(join(copy, 'src'));
    cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true });
    const applied = spawnSync('patch', ['-p1', '--silent', '-i', patch], { cwd: copy, encoding: 'utf8' });
    if (applied.status !== 0) {
      console.log(`${name}: doesn't apply: ${applied.stdout}`);
      missed += 1;
      continue;
    }
    const saved = listSaved().includes(name) ? run(copy, '--first', '--history', name) : undefined;
    const found = saved ?? run(copy, '--first', '--histories', String(histories));
    if (saved === undefined && found !== undefined) {
      run(copy, '--seed', found.seed, '--save', name);
      cpSync(toPath(name, copy), toPath(name));
    }
    const isOther = found !== undefined && run(root, '--first', '--history', name) !== undefined;
    if (found === undefined || isOther) missed += 1;
    const [title] = readFileSync(patch, 'utf8').split('\n');
    const result = isOther ? 'fails without it too' : saved ? 'found' : `found by seed ${found?.seed}`;
    console.log(`${name}: ${found === undefined ? 'NOT FOUND' : result}: ${found?.problem ?? title}`);
  }
  removeScratch(copy);
  return missed === 0;
}

/** Runs the world in a tree. Returns the first problem, if any. */
function run(cwd: string, ...own: readonly string[]) {
  const args = ['--max-semi-space-size=64', 'test/world/main.ts', ...own];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (stderr.trim() !== '') console.log(stderr.trim().slice(0, 500));
  const [, seed = '', problem] = /^(?:Seed|History) (\S+): (.*)$/mu.exec(stdout) ?? [];
  return problem === undefined ? undefined : { seed, problem };
}
