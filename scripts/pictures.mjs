// Copies the pictures of README.md and docs/ from the screenshots of test/pictures. `npm run pictures` takes and copies them.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { out, root } from './lib/paths.mjs';

/** The theme of each picture in media/readme. */
const pictures = {
  editor: 'light',
  problem: 'light',
  tree: 'light',
  blocks: 'light',
  outlook: 'light',
  format: 'light',
  conflict: 'light',
  compare: 'light',
  unreachable: 'light',
  campaign: 'light',
  review: 'light',
  statistics: 'light',
  'as-sent': 'light',
  'tags-person': 'light',
  'checks-hover': 'light',
  folders: 'light',
  parts: 'light',
  settings: 'light',
  agents: 'light',
  unconfirmed: 'light',
};

mkdirSync(join(root, 'media', 'readme'), { recursive: true });
for (const [name, theme] of Object.entries(pictures)) {
  const from = join(out, 'screenshots', 'readme', `${name}-${theme}.png`);
  if (!existsSync(from)) {
    console.error(`${from} is missing. Run npm run pictures.`);
    process.exit(1);
  }
  copyFileSync(from, join(root, 'media', 'readme', `${name}.png`));
}
