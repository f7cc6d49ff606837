import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { read, readJson, root } from '../../support/manifest.ts';

const { contributes } = readJson<{
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly submenu?: string }[]>>;
  };
}>('package.json');

/** Run by rows of the tree only. */
const internal = ['mailing.explorer.loadMore', 'mailing.explorer.retry'];

describe('commands', () => {
  it('are registered once each, as in package.json', () => {
    const paths = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' });
    const sources = paths.filter((path) => /(?:^extension|index)\.ts$/u.test(path)).map((path) => read(`src/${path}`));
    const registrations = sources.flatMap((text) =>
      text.match(/registerCommands\([^[]*\[[^\]]*|registerCommand\([^,]*/gu),
    );
    const ids = registrations.flatMap((text) => text?.match(/(?<=')mailing\.[\w.]+/gu) ?? []);
    assert.deepEqual(ids.toSorted(), [...internal, ...contributes.commands.map(({ command }) => command)].toSorted());
  });

  it('of menus are contributed', () => {
    const ids = new Set(contributes.commands.map(({ command }) => command));
    for (const { command = '', submenu = '' } of Object.values(contributes.menus).flat())
      assert.ok(ids.has(command) || submenu in contributes.menus, command + submenu);
  });
});
