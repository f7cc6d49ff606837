import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

/** Usual paths of browsers that are not on the PATH. */
const places = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((name) => {
    const folder = process.env[name];
    return folder
      ? [
          join(folder, 'Google/Chrome/Application/chrome.exe'),
          join(folder, 'Chromium/Application/chrome.exe'),
          join(folder, 'Microsoft/Edge/Application/msedge.exe'),
        ]
      : [];
  }),
};

/** The message if there is no browser. */
export const chromiumMissing =
  'No Chromium or Chrome was found. Install one (Debian and Ubuntu: `sudo apt-get install -y chromium`; macOS: ' +
  '`brew install --cask chromium`; Windows: `winget install Google.Chrome`), or set CHROME_PATH to the executable of yours.';

/** Flags for a machine without a display, a GPU or a network; the sandbox can't start for root or in most containers. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Path of a Chromium, Chrome or Edge: CHROME_PATH, then the PATH, then the usual places.
 * @returns {string | undefined}
 */
export function findChromium() {
  const named = process.env['CHROME_PATH'];
  if (named) {
    if (runs(named)) return named;
    throw new Error(`CHROME_PATH is set to ${named}, which is not an executable.`);
  }
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => names.map((name) => join(folder, process.platform === 'win32' ? `${name}.exe` : name)));
  const others =
    process.platform === 'darwin' || process.platform === 'win32' ? places[process.platform] : ['/snap/bin/chromium'];
  return [...onPath, ...others].find(runs);
}

/** @param {string} path */
function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
