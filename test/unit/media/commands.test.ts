import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import type { CommandRow } from '../../../src/platform/ui/commands.ts';

const root = new URL('../../../', import.meta.url);
const { contributes } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
};
/** Modules of the platform and features that register commands; `ui/` only has the function for it. */
const paths = ['platform', 'features']
  .flatMap((layer) =>
    readdirSync(new URL(`src/${layer}/`, root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'ui')
      .map(({ name }) => new URL(`src/${layer}/${name}/commands.ts`, root)),
  )
  .filter((path) => existsSync(path));

/** Registered by `extension.ts` itself, because it needs only the log. */
const ownCommands = ['mailing.showLog'];

describe('commands', () => {
  it('are registered once each, as in package.json', async () => {
    const rows = (await Promise.all(paths.map(tablesOf))).flat(2);
    const ids = [...ownCommands, ...rows.map(([id]) => id)];
    assert.deepEqual(ids.toSorted(), contributes.commands.map(({ command }) => command).toSorted());
  });

  it('are registered by literal ids', () => {
    const source = paths.map((path) => textOf(path)).join('\n') + textOf(new URL('src/extension.ts', root));
    for (const { command } of contributes.commands) assert.ok(source.includes(`'${command}'`), command);
  });
});

/** Returns the command tables exported by a module's `commands.ts`, without view ids and the like. */
async function tablesOf(path: URL): Promise<readonly (readonly CommandRow<string>[])[]> {
  const exported = Object.values((await import(path.href)) as Record<string, string | readonly CommandRow<string>[]>);
  return exported.filter((value) => typeof value !== 'string');
}

function textOf(path: URL): string {
  return readFileSync(path, 'utf8');
}
