// npm start [-- --port N] [--no-open] [--browser]: opens VS Code with the extension, the sandbox and a sample template. Uses a desktop window
// if `code` is on the PATH, or else VS Code's server, whose URL it prints. Ctrl+C ends everything.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { removeScratch } from './lib/scratch.mjs';
import { packageIfChanged } from './lib/build.mjs';
import { findDesktop, openDesktop } from './lib/desktop.mjs';
import { openBrowser } from './lib/openBrowser.mjs';
import { cacheDir, vsix } from './lib/paths.mjs';
import { Processes } from './lib/processes.mjs';
import { installExtension, isFree, quietSettings, startServer, writeUserSettings } from './lib/server.mjs';
import { fetchVSCode } from './lib/vscode.mjs';

const usualPort = 8383;
/** The file that activates the extension, which then shows the sandbox. */
const demo = { environment: { MAILING_STUDIO_DEMO: '1' }, marker: '.mailing-studio-demo' };

const { values } = parseArgs({
  options: { port: { type: 'string' }, 'no-open': { type: 'boolean' }, browser: { type: 'boolean' } },
});
const wanted = Number(values.port ?? usualPort);
if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65535) {
  console.error(`--port takes a number from 0 to 65535, not "${values.port}".`);
  process.exit(2);
}

const started = Date.now();
const say = (/** @type {string} */ line) => console.log(line);
const processes = new Processes();
processes.endOnSignals(() => say('\nEnding …'));

try {
  const hash = await packageIfChanged(processes, say);
  const workspace = join(cacheDir, 'demo', 'workspace');
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, demo.marker), '');

  const code = values.browser ? undefined : findDesktop();
  if (code) {
    await openDesktop(processes, {
      code,
      folder: join(cacheDir, 'demo', 'desktop'),
      workspace,
      vsix,
      settings: quietSettings,
      env: demo.environment,
      say,
    });
  } else {
    await openServer(hash, workspace);
  }
} catch (error) {
  await processes.end();
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/**
 * @param {string} hash of what the package was made of
 * @param {string} workspace
 */
async function openServer(hash, workspace) {
  const main = await fetchVSCode(processes, say);
  const dataDir = join(cacheDir, 'demo', 'server');
  const stamp = join(cacheDir, 'demo', 'server.stamp');
  if (!existsSync(join(dataDir, 'extensions')) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
    say('Installing the package …');
    removeScratch(join(dataDir, 'extensions'));
    await installExtension(processes, { main, dataDir }, vsix);
    writeFileSync(stamp, hash);
  }
  // Keeps settings that the user changed in the demo window.
  if (!existsSync(join(dataDir, 'data', 'User', 'settings.json'))) writeUserSettings(dataDir, quietSettings);

  const free = await isFree(wanted);
  if (!free) say(`Port ${wanted} is taken; taking a free one.`);
  const server = await startServer(processes, { main, dataDir, port: free ? wanted : 0, env: demo.environment });
  const address = server.url({ folder: workspace });
  say(
    `Ready after ${((Date.now() - started) / 1000).toFixed(1)} s. VS Code with Mailing Studio and the sandbox:\n\n  ${address}\n\nThe address holds a key to this machine: keep it to yourself. Ctrl+C ends it.`,
  );
  if (!values['no-open']) openBrowser(address);
  void server.ended.then((code) => {
    if (processes.ending) return;
    console.error(`VS Code's server ended with code ${code}:\n${server.log()}`);
    process.exit(1);
  });
}
