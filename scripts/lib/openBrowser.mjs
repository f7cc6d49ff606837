import { spawn } from 'node:child_process';

/** How each system opens an address. `start` is part of the shell there, and reads `&` as its own. */
const openers = {
  darwin: (/** @type {string} */ address) => ['open', address],
  win32: (/** @type {string} */ address) => ['rundll32', 'url.dll,FileProtocolHandler', address],
  linux: (/** @type {string} */ address) => ['xdg-open', address],
};

/**
 * Opens the user's browser where there is a screen; where there is none, or it fails, the address was printed.
 * @param {string} address
 */
export function openBrowser(address) {
  if (process.env['CI'] || !hasScreen()) return;
  const [command = '', ...args] = (process.platform in openers ? openers[/** @type {keyof openers} */ (process.platform)] : openers.linux)(address);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.once('error', () => {});
  child.unref();
}

/** @returns {boolean} whether a window can be opened */
export function hasScreen() {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}
