// npm run pictures: takes the README's pictures from what the workbench tests photographed.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { out, root } from './lib/paths.mjs';

/** Picture in media/readme ← screenshot of the workbench tests. */
const pictures = {
  editor: 'editor-light',
  tree: 'tree',
  'preview-dark': 'preview-dark',
  conflict: 'conflict',
  unreachable: 'unreachable',
  campaign: 'campaign-form-light',
  send: 'campaign-send',
  'last-look': 'last-look-light',
  'follow-up': 'follow-up-timeline-light',
  subscribers: 'subscribers-row-40000',
  statistics: 'statistics-editor-light',
  'heat-map': 'heat-light',
  'as-sent': 'as-sent-light',
  tags: 'tags-completion-light',
  'tags-person': 'tags-as-long-light',
  checks: 'checks-problems-light',
  'checks-hover': 'checks-hover-light',
  folders: 'folders/push-light',
};

mkdirSync(join(root, 'media', 'readme'), { recursive: true });
for (const [picture, screenshot] of Object.entries(pictures)) {
  const from = join(out, 'screenshots', `${screenshot}.png`);
  if (!existsSync(from)) {
    console.error(`There is no ${from}: run npm run test:workbench first.`);
    process.exit(1);
  }
  copyFileSync(from, join(root, 'media', 'readme', `${picture}.png`));
}
