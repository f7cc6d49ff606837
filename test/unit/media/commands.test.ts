import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { read, readManifest, root } from '../../support/manifest.ts';

const { contributes } = readManifest<{
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly submenu?: string }[]>>;
  };
}>();

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

  it('of a row name one record', () => {
    const { menus } = contributes;
    const rows = [menus['scm/resourceState/context'], menus['view/item/context'], menus['mailing.subscribers']].flat();
    assert.ok(rows.some((item) => item?.command === 'mailing.template.createCampaign'));
    for (const { command, title } of contributes.commands)
      if (rows.some((item) => item?.command === command)) assert.doesNotMatch(title, /Templates|Lists/u);
  });

  it('of menus are contributed', () => {
    const ids = new Set(contributes.commands.map(({ command }) => command));
    for (const { command = '', submenu = '' } of Object.values(contributes.menus).flat())
      assert.ok(ids.has(command) || submenu in contributes.menus, command + submenu);
  });
});
