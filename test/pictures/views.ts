import assert from 'node:assert/strict';
import type { BrowserContext, Frame } from 'playwright-core';
import type { JsonObject } from '../../src/service/client/shapes.ts';
import { useWorkbench, type Contents } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';
import type { SandboxOptions } from '../support/sandbox/index.ts';
import { testConnection, type Workbench } from '../support/workbench.ts';

/** Width in pixels of pictures that show the side bar alone. */
export const SIDE_BAR_WIDTH = 352;

interface Theme {
  readonly name: string;
  readonly id: string;
  /** The setting for the theme of a system with the color scheme `media`. */
  readonly setting: string;
  readonly media: { readonly colorScheme: 'light' | 'dark'; readonly contrast: 'no-preference' | 'more' };
  /** Matches the workbench once it has the theme. */
  readonly mark: string;
  /** The theme kind in webviews. */
  readonly kind: string;
}

const light: Theme = {
  name: 'light',
  id: 'Default Light Modern',
  setting: 'workbench.preferredLightColorTheme',
  media: { colorScheme: 'light', contrast: 'no-preference' },
  mark: '.monaco-workbench.vs',
  kind: 'vscode-light',
};

const themes: readonly Theme[] = [
  light,
  {
    name: 'dark',
    id: 'Default Dark Modern',
    setting: 'workbench.preferredDarkColorTheme',
    media: { colorScheme: 'dark', contrast: 'no-preference' },
    mark: '.monaco-workbench.vs-dark',
    kind: 'vscode-dark',
  },
  {
    name: 'highContrast',
    id: 'Default High Contrast',
    setting: 'workbench.preferredHighContrastColorTheme',
    media: { colorScheme: 'dark', contrast: 'more' },
    mark: '.monaco-workbench.hc-black',
    kind: 'vscode-high-contrast',
  },
  {
    name: 'highContrastLight',
    id: 'Default High Contrast Light',
    setting: 'workbench.preferredHighContrastLightColorTheme',
    media: { colorScheme: 'light', contrast: 'more' },
    mark: '.monaco-workbench.hc-light',
    kind: 'vscode-high-contrast-light',
  },
];

/** The workbench follows the system's color scheme, which a test can change without a command. */
const themeSettings = {
  'window.autoDetectColorScheme': true,
  'window.autoDetectHighContrast': true,
  ...Object.fromEntries(themes.map(({ id, setting }) => [setting, id])),
};

/** Opens a window whose theme can be switched. */
export function usePictures(
  contents?: Contents,
  service: Partial<SandboxOptions> = {},
  settings: Readonly<JsonObject> = {},
): () => Workbench {
  const prepare = (context: BrowserContext) => context.addInitScript(detectContrast);
  return useWorkbench(contents, { service, settings: { ...themeSettings, ...settings }, prepare });
}

/** Makes the workbench treat a preference for more contrast as forced colors, whose emulation would replace the theme's colors. Runs in the page. */
function detectContrast() {
  const match = globalThis.matchMedia.bind(globalThis);
  globalThis.matchMedia = (query) => match(query.replace('(forced-colors: active)', '(prefers-contrast: more)'));
}

/** Switches the theme with the system's color scheme, which keeps the focus and open menus and dialogs. */
async function setTheme({ page }: Workbench, { media, mark, kind }: Theme) {
  await page.emulateMedia(media);
  await page.locator(mark).first().waitFor();
  // Webviews follow asynchronously.
  await eventually(async () => {
    const kinds = await Promise.all(
      page.frames().map((frame) =>
        frame
          .evaluate(() => document.body.dataset['vscodeThemeKind'])
          // A frame may be removed in the meantime.
          .catch(() => undefined),
      ),
    );
    assert.deepEqual(
      kinds.filter((each) => each !== undefined && each !== kind),
      [],
    );
  });
}

/** Takes a picture of the window in every theme, as out/screenshots/readme/<name>-<theme>.png. `scripts/pictures.mjs` lists the names. */
export async function take(workbench: Workbench, name: string, width?: number): Promise<void> {
  for (const theme of themes) {
    await setTheme(workbench, theme);
    await workbench.screenshot(`readme/${name}-${theme.name}`, { width });
  }
  await setTheme(workbench, light);
}

/** Opens a record from the tree, and clears the notifications of getting there. */
export async function openRecord(workbench: Workbench, branch: string, name: string, tab: string): Promise<void> {
  await workbench.openRecord(branch, name, tab);
  await workbench.notifications.clear();
}

export async function openTemplate(workbench: Workbench, name: string): Promise<void> {
  await openRecord(workbench, 'Templates', name, `${name}.html`);
}

/** Opens a template's preview beside it, and waits until it shows the email. */
export async function openPreview(workbench: Workbench, name: string): Promise<{ page: Frame; mail: Frame }> {
  await openTemplate(workbench, name);
  await workbench.editors.titleAction('Open Preview to the Side');
  const mail = await workbench.webviews.inner('preview');
  await eventually(async () => assert.ok((await mail.locator('body').innerText()).length > 50));
  return { page: await workbench.webviews.frame('preview'), mail };
}

/** Opens a campaign's statistics in an editor tab. */
export async function openStatistics(workbench: Workbench, name: string): Promise<Frame> {
  await workbench.enterApiKey();
  await workbench.explorer.open();
  const row = await workbench.explorer.row([testConnection.name, 'Campaigns', name]);
  // A tree that is drawn anew under the pointer drops a click.
  await eventually(
    async () => {
      await row.inlineAction('Show Statistics');
      const view = await workbench.webviews.frame('statistics');
      await view.locator('h1', { hasText: name }).waitFor({ timeout: 5000 });
    },
    { timeoutMs: 30_000 },
  );
  await workbench.run('Mailing: Open Statistics in Editor');
  await workbench.editors.waitForActive(`Statistics: ${name}`);
  return eventually(async () => {
    const [, inEditor] = await workbench.webviews.all('statistics');
    return inEditor ?? assert.fail('The editor tab has no page.');
  });
}
