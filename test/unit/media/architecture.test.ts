import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { read, root } from '../../support/manifest.ts';

const text = read('ARCHITECTURE.md');

describe('ARCHITECTURE.md', () => {
  it('names existing files', () => {
    const named = [...text.matchAll(/`((?:src|test|scripts|media)\/[\w./-]+|[\w.-]+\.mjs)`/gu)].map(
      ([, path]) => path ?? '',
    );
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.filter((path) => !existsSync(new URL(path, root))),
      [],
    );
  });

  it('shows every module of src in its diagram', () => {
    const diagram = /```mermaid\n([^]*?)```/u.exec(text)?.[1] ?? '';
    const modules = ['', 'email/', 'service/', 'sync/', 'ui/', 'platform/', 'features/'].flatMap((layer) =>
      readdirSync(new URL(`src/${layer}`, root), { withFileTypes: true }).filter((entry) => entry.isDirectory()),
    );
    assert.ok(modules.length > 25);
    assert.deepEqual(
      modules.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`, 'u').test(diagram)),
      [],
    );
  });
});
