import assert from 'node:assert/strict';
import { delimiter, join } from 'node:path';
import { findChromium, provideChromium, type Machine } from '../../../scripts/lib/chromium.mjs';
import { Processes } from '../../../scripts/lib/processes.mjs';

interface Given {
  readonly platform?: NodeJS.Platform;
  readonly system?: string;
  readonly isRoot?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Paths of browsers that start. */
  readonly browsers?: readonly string[];
  /** Paths of executables that aren't browsers. */
  readonly stubs?: readonly string[];
  readonly stored?: readonly string[];
  /** The browser that a command installs, by part of the command line. Other commands fail. */
  readonly installs?: Readonly<Record<string, string>>;
}

const debian = 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\n';
const ubuntu = 'ID=ubuntu\nID_LIKE=debian\n';
const [first, second] = [join('/one'), join('/two')];
const path = [first, second].join(delimiter);
const chromium = join(second, 'chromium');
const downloaded = join('/store', 'chrome-headless-shell');
const apt =
  'apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium fonts-liberation fonts-dejavu-core';
const playwright = 'cli.js install chromium-headless-shell';

const processes = new Processes();

/** Returns a machine, and the commands that were run on it. */
function makeMachine(given: Given) {
  const { platform = 'linux', system = '', isRoot = false, env = { PATH: path }, stubs = [], installs = {} } = given;
  const browsers = new Set(given.browsers);
  const stored = new Set(given.stored);
  const commands: string[] = [];
  const machine: Machine = {
    platform,
    system,
    isRoot,
    env: { ...env },
    isExecutable: (name) => browsers.has(name) || stored.has(name) || stubs.includes(name),
    findStored: () => [...stored],
    starts: async (name) => browsers.has(name) || stored.has(name),
    runs: async (command, args) => {
      const line = [command, ...args].join(' ');
      commands.push(line);
      const [, installed] = Object.entries(installs).find(([part]) => line.endsWith(part)) ?? [];
      if (installed === undefined) return false;
      if (installed === downloaded) stored.add(installed);
      else browsers.add(installed);
      return true;
    },
  };
  return { machine, commands };
}

async function provide(given: Given) {
  const { machine, commands } = makeMachine(given);
  const browser = await provideChromium(processes, () => undefined, machine).catch((error: unknown) => String(error));
  return { browser, commands, named: machine.env['CHROME_PATH'] };
}

describe('The browser of the tests', () => {
  after(() => processes.end());

  for (const [title, given, expected] of [
    [
      'the one that CHROME_PATH names',
      { env: { PATH: path, CHROME_PATH: '/mine' }, browsers: ['/mine', chromium] },
      '/mine',
    ],
    ['the one on the PATH', { browsers: [chromium], stored: [downloaded] }, chromium],
    [
      'another one if the first does not start',
      { stubs: [join(first, 'chromium-browser')], browsers: [chromium] },
      chromium,
    ],
    ['Chrome on Linux', { browsers: ['/opt/google/chrome/chrome'] }, '/opt/google/chrome/chrome'],
    [
      'Chrome on macOS',
      { platform: 'darwin', browsers: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'] },
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    [
      'Edge on Windows',
      { platform: 'win32', env: { ProgramFiles: 'C' }, browsers: [join('C', 'Microsoft/Edge/Application/msedge.exe')] },
      join('C', 'Microsoft/Edge/Application/msedge.exe'),
    ],
    ['one that an earlier run downloaded', { stored: [downloaded], system: debian, isRoot: true }, downloaded],
  ] as const satisfies readonly (readonly [string, Given, string])[])
    it(`is ${title}, without installing anything`, async () => {
      assert.deepEqual(await provide(given), { browser: expected, commands: [], named: expected });
    });

  it('is installed with apt-get by root on Debian and Ubuntu', async () => {
    for (const system of [debian, ubuntu]) {
      const { browser, commands } = await provide({ system, isRoot: true, installs: { [apt]: chromium } });
      assert.equal(browser, chromium);
      assert.deepEqual(commands, ['apt-get -q -o DPkg::Lock::Timeout=300 update', apt]);
    }
  });

  it('is installed with sudo by other users, without asking for a password', async () => {
    const { browser, commands } = await provide({ system: debian, installs: { [apt]: chromium } });
    assert.equal(browser, chromium);
    assert.ok(commands.every((command) => command.startsWith('sudo -n apt-get ')));
  });

  it('is downloaded if apt-get fails, or installs one that does not start', async () => {
    const cases: NonNullable<Given['installs']>[] = [
      { [playwright]: downloaded },
      { [apt]: '/elsewhere', [playwright]: downloaded },
    ];
    for (const installs of cases) {
      const { browser, commands } = await provide({ system: ubuntu, isRoot: true, installs });
      assert.equal(browser, downloaded);
      assert.equal(commands.length, 3);
    }
  });

  it('is downloaded on other systems', async () => {
    for (const given of [{ platform: 'darwin' }, { platform: 'win32' }, { system: 'ID=fedora\n' }] as const) {
      const { browser, commands } = await provide({ ...given, installs: { [playwright]: downloaded } });
      assert.equal(browser, downloaded);
      assert.equal(commands.length, 1);
    }
  });

  it('is missing with the command that installs it on this system', async () => {
    for (const [given, command] of [
      [{ system: debian }, 'sudo apt-get install -y --no-install-recommends chromium'],
      [{ system: ubuntu }, 'sudo snap install chromium'],
      [{ system: 'ID=fedora\n' }, 'the package manager of this system'],
      [{ platform: 'darwin' }, 'brew install --cask chromium'],
      [{ platform: 'win32' }, 'winget install Google.Chrome'],
    ] as const) {
      const { browser, named } = await provide(given);
      assert.ok(browser.includes(command) && browser.includes('CHROME_PATH'), browser);
      assert.equal(named, undefined);
      assert.throws(() => findChromium(makeMachine(given).machine), { message: browser.replace('Error: ', '') });
    }
  });

  it('must start if CHROME_PATH names it', async () => {
    const env = { PATH: path, CHROME_PATH: '/mine' };
    for (const [given, expected] of [
      [{ env, browsers: [chromium] }, /\/mine, which is not an executable/u],
      [{ env, browsers: [chromium], stubs: ['/mine'] }, /\/mine, which doesn't start/u],
    ] as const) {
      const { browser, commands } = await provide(given);
      assert.match(browser, expected);
      assert.deepEqual(commands, []);
    }
  });
});
