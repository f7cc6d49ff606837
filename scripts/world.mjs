// npm run world [-- --seed N | --histories N | --minutes N | --defects]: runs histories of the simulated world. See test/world/main.ts.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findNode, root } from './lib/paths.mjs';

const args = ['--max-semi-space-size=64', join(root, 'test/world/main.ts'), ...process.argv.slice(2)];
process.exitCode = spawnSync(findNode(), args, { cwd: root, stdio: 'inherit' }).status ?? 1;
