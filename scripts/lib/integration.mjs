import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import { build } from 'esbuild';
import { chromiumFlags } from './chromium.mjs';
import { desktopVersion, runCode } from './desktop.mjs';
import { filesIn, cacheDir, out, root } from './paths.mjs';
import { openHiddenPage } from './hiddenPage.mjs';
import { makeScratch, removeScratch } from './scratch.mjs';
import { installExtension, isAboutNativeModules, quietSettings, startServer, writeUserSettings } from './server.mjs';
import { fetchVSCode } from './vscode.mjs';

const testRunner = join(out, 'integration', 'run.mjs');

/** Settings that save CPU time in a hidden window. */
const hiddenSettings = {
  'workbench.reduceMotion': 'on',
  'workbench.activityBar.location': 'hidden',
  'workbench.editor.showTabs': 'none',
  'workbench.statusBar.visible': false,
  'workbench.localHistory.enabled': false,
  'breadcrumbs.enabled': false,
  'editor.bracketPairColorization.enabled': false,
  'editor.colorDecorators': false,
  'editor.guides.indentation': false,
  'editor.matchBrackets': 'never',
  'editor.occurrencesHighlight': 'off',
  'editor.stickyScroll.enabled': false,
  'editor.wordBasedSuggestions': 'off',
  'window.title': 'Tests',
};

/** Prefix of the tests' output in the workbench's console. */
const mark = 'mocha\u2502';

/** Environment variables for the tests in the extension host. */
const environment = (
  /** @type {{ result: string, grep?: string | undefined, claims?: string | undefined }} */ { result, grep, claims },
) => ({
  MAILING_STUDIO_TEST_RESULT: result,
  ...(claims === undefined ? {} : { MAILING_STUDIO_TEST_CLAIMS: claims }),
  ...(grep === undefined ? {} : { MAILING_STUDIO_TEST_GREP: grep }),
});

/**
 * Bundles test/integration, or another folder of tests for the extension host, into one module per test file. Mocha then loads and names
 * them as in other suites.
 * @param {string} name of the folder in test/
 * @returns {Promise<string>} path of the module that runs them
 */
export async function bundleIntegrationTests(name = 'integration') {
  const bundle = join(out, name);
  removeScratch(bundle);
  await build({
    absWorkingDir: root,
    entryPoints: [`test/${name}/run.ts`, ...filesIn(`test/${name}`).filter((file) => file.endsWith('.test.ts'))],
    outdir: bundle,
    outbase: `test/${name}`,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Same as for the product: UMD builds of libraries can't be bundled.
    mainFields: ['module', 'main'],
    sourcemap: 'linked',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return join(bundle, 'run.mjs');
}

/**
 * A workspace with one folder, to which tests can add folders. A window that shows a single folder would reload when the second is added.
 * @param {string} folder where it is made
 */
function makeWorkspace(folder) {
  mkdirSync(join(folder, 'workspace'));
  const file = join(folder, 'tests.code-workspace');
  writeFileSync(file, JSON.stringify({ folders: [{ path: 'workspace' }] }));
  return file;
}

/**
 * Runs the integration tests, or another module with a `run`, in the extension host of VS Code's server, which a browser opens.
 * @param {import('./processes.mjs').Processes} processes
 * @param {{ result: string, grep?: string | undefined, claims?: string | undefined, say: (line: string) => void, browser: string, runner?: string,
 *   minutes?: number | undefined, vsix?: string }} options runner: path of the module, within the repository; MAILING_STUDIO_TEST_RESULT is the path
 *   for its result. vsix: a package to install, instead of loading the extension from this folder. claims: an empty folder that several windows share, so that each test file runs in one of them. minutes: how long it may take
 * @returns {Promise<number>} the run's exit code
 */
export async function runInServer(
  processes,
  { result, grep, claims, say, browser: executablePath, runner = testRunner, minutes = 30, vsix },
) {
  const { chromium } = await import('playwright-core');
  const main = await fetchVSCode(processes, say);
  const folder = makeScratch();
  const workspace = makeWorkspace(folder);
  const dataDir = join(folder, 'data');
  writeUserSettings(dataDir, { ...quietSettings, ...hiddenSettings });
  const extensionsDir = vsix && join(folder, 'extensions');
  if (vsix) await installExtension(processes, { main, dataDir, extensionsDir }, vsix);
  const server = await startServer(processes, {
    main,
    dataDir,
    extensionsDir,
    development: true,
    lean: true,
    env: { ...environment({ result, grep, claims }), MAILING_STUDIO_TEST_MARK: mark },
  });
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  try {
    const remote = (/** @type {string} */ path) => `vscode-remote://${new URL(server.origin).host}${path}`;
    const url = server.url({
      workspace,
      payload: JSON.stringify([
        ['extensionDevelopmentPath', remote(vsix ? makeTestExtension(folder) : root)],
        ['extensionTestsPath', remote(runner)],
        ['skipWelcome', 'true'],
      ]),
    });
    const log = (/** @type {string} */ type, /** @type {unknown[]} */ args) => {
      const line = format(...args);
      // The workbench's own messages are in the same console.
      if (line.startsWith(mark)) say(line.replaceAll(mark, ''));
      else if (type === 'error' && !isAboutNativeModules(line) && !line.startsWith('[Service Worker]'))
        console.error(line);
    };
    /** @type {NodeJS.Timeout | undefined} */
    let timeout;
    const code = await new Promise((resolve, reject) => {
      timeout = setTimeout(
        () => reject(new Error(`The tests did not end within ${minutes} minutes.\n${server.log()}`)),
        minutes * 60_000,
      );
      const onCrash = () => reject(new Error('The browser page crashed.'));
      openHiddenPage(browser, url, { codeAutomationLog: log, codeAutomationExit: resolve }, onCrash).catch(reject);
    }).finally(() => clearTimeout(timeout));
    return code;
  } finally {
    await browser.close();
    await server.end();
    removeScratch(folder);
  }
}

/**
 * Creates an extension without code, which VS Code loads to run the tests of an installed extension.
 * @param {string} folder where it is created
 * @returns {string} its path
 */
export function makeTestExtension(folder) {
  const path = join(folder, 'extension');
  mkdirSync(path);
  const manifest = { name: 'smoke-tests', publisher: 'tests', version: '0.0.0', engines: { vscode: '*' } };
  writeFileSync(join(path, 'package.json'), JSON.stringify(manifest));
  return path;
}

/**
 * Runs the same tests in a desktop VS Code: the one that VSCODE_PATH names, or the version that VSCODE_VERSION names (see `desktopVersion`),
 * which @vscode/test-electron downloads.
 * @param {import('./processes.mjs').Processes} processes
 * @param {{ result: string, grep?: string | undefined, runner?: string, vsix?: string }} options runner: as for `runInServer`; vsix: a package to
 *   install, instead of loading the extension from this folder
 * @returns {Promise<number>} the run's exit code
 * @throws {Error} when it can't be downloaded, and when a test fails
 */
export async function runInDesktop(processes, { result, grep, runner = testRunner, vsix }) {
  const vscodeExecutablePath = process.env['VSCODE_PATH'] ?? (await downloadDesktop());
  const folder = makeScratch();
  const workspace = makeWorkspace(folder);
  writeUserSettings(folder, quietSettings);
  const profile = ['--user-data-dir', join(folder, 'data'), '--extensions-dir', join(folder, 'extensions')];
  try {
    if (vsix) {
      const { resolveCliArgsFromVSCodeExecutablePath } = await import('@vscode/test-electron');
      const [code = '', ...first] = resolveCliArgsFromVSCodeExecutablePath(vscodeExecutablePath, {
        reuseMachineInstall: true,
      });
      /** @type {string[]} */
      const lines = [];
      const args = [...first, ...profile, '--install-extension', vsix, '--force'];
      const status = await runCode(processes, code, args, { onLine: (line) => lines.push(line) });
      if (status !== 0) throw new Error(`VS Code could not install ${vsix}:\n${lines.join('\n')}`);
    }
    const { runTests } = await import('@vscode/test-electron');
    // On Windows, the library passes them to a shell as they are.
    const quote = (/** @type {string} */ arg) => (process.platform === 'win32' ? `"${arg.replace(/\\$/, '')}"` : arg);
    return await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: quote(vsix ? makeTestExtension(folder) : root),
      extensionTestsPath: quote(runner),
      extensionTestsEnv: environment({ result, grep }),
      launchArgs: [
        ...[workspace, ...profile].map(quote),
        ...(vsix ? [] : ['--disable-extensions']),
        // Machines for tests have no keyring, or one that asks for a password.
        '--use-inmemory-secretstorage',
      ],
    });
  } finally {
    removeScratch(folder);
  }
}

async function downloadDesktop() {
  const { downloadAndUnzipVSCode } = await import('@vscode/test-electron');
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = desktopVersion(process.env['VSCODE_VERSION'], engines.vscode);
  return downloadAndUnzipVSCode({ version, cachePath: join(cacheDir, 'desktop') }).catch((error) => {
    throw new Error(
      `Desktop VS Code ${version} could not be downloaded (${error.message}). Set VSCODE_PATH to the executable of an installed one, or run \`npm run test:integration\`, which does without.`,
    );
  });
}
