import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'test/world/defects');
const COPIED = ['src', 'test/world', 'test/support', 'scripts/lib', 'media/starters', 'package.json', 'tsconfig.json'];

/** Puts back each old defect in a copy of the tree, and reports whether the world finds it. Returns false if it misses one. */
export function tryDefects(only: string | undefined, histories: number): boolean {
  const copy = makeScratch();
  for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  let missed = 0;
  for (const name of readdirSync(folder).filter(
    (file) => file.endsWith('.patch') && (only ?? '').split(',').some((part) => file.includes(part)),
  )) {
    const patch = join(folder, name);
    removeScratch(join(copy, 'src'));
    cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true });
    const applied = spawnSync('patch', ['-p1', '--silent', '-i', patch], { cwd: copy, encoding: 'utf8' });
    if (applied.status !== 0) {
      console.log(`${name}: doesn't apply: ${applied.stdout}`);
      missed += 1;
      continue;
    }
    const run = (cwd: string, ...own: readonly string[]) => {
      const args = ['--max-semi-space-size=64', 'test/world/main.ts', ...own, '--first'];
      const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
      return { found: /^Seed (\d+): (.*)$/mu.exec(stdout), stderr };
    };
    const { found, stderr } = run(copy, '--histories', String(histories));
    const isOther = found !== null && run(root, '--from', String(found[1]), '--histories', '1').found !== null;
    const [title] = readFileSync(patch, 'utf8').split('\n');
    if (found === null || isOther) missed += 1;
    const result = isOther ? 'fails without it too' : 'found';
    console.log(`${name}: ${found === null ? 'NOT FOUND' : `${result} by seed ${found[1]}`}: ${found?.[2] ?? title}`);
    if (stderr.trim() !== '') console.log(stderr.trim().slice(0, 500));
  }
  removeScratch(copy);
  return missed === 0;
}
