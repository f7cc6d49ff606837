import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { out } from './paths.mjs';
import { writePrivate } from './server.mjs';

/** The command that opens a file on each system. On Windows, `start` is part of the shell, which interprets `&`. */
const openers = {
  darwin: (/** @type {string} */ path) => ['open', path],
  win32: (/** @type {string} */ path) => ['rundll32', 'url.dll,FileProtocolHandler', path],
  linux: (/** @type {string} */ path) => ['xdg-open', path],
};

/**
 * Opens a URL in the user's browser if there is a screen. The caller prints the URL in case that fails. The browser gets a page that
 * redirects to the URL, because the URL contains a key, and all users of this machine can see the arguments of programs.
 * @param {string} address
 */
export function openBrowser(address) {
  if (process.env['CI'] || !hasScreen()) return;
  const page = join(out, 'open.html');
  const href = address.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
  const head = '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">';
  writePrivate(page, `${head}<meta http-equiv="refresh" content="0;url=${href}">`);
  const opener =
    process.platform in openers ? openers[/** @type {keyof typeof openers} */ (process.platform)] : openers.linux;
  const [command = '', ...args] = opener(page);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.once('error', () => {});
  child.unref();
}

/** @returns {boolean} whether a window can be opened */
export function hasScreen() {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}
