import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageIfChanged } from './build.mjs';
import { findChromium } from './chromium.mjs';
import { bundleIntegrationTests, runInDesktop, runInServer } from './integration.mjs';
import { findSlowest } from './outcome.mjs';
import { filesIn, findNode, out, root, vsix } from './paths.mjs';
import { run } from './processes.mjs';
import { removeScratch } from './scratch.mjs';
import { fetchVSCode } from './vscode.mjs';

/** @typedef {import('./outcome.mjs').Outcome} Outcome */
/** @typedef {{ processes: import('./processes.mjs').Processes, say: (line: string) => void, grep: string | undefined, result: string }} Context */
/**
 * @typedef {{ always: boolean, needs: string[], browser?: true, run: (context: Context) => Promise<Outcome> }} Part `always`: part of `npm test`;
 *   `browser`: needs Chromium
 */

const bin = (/** @type {string} */ path) => join(root, 'node_modules', path);

/** Two test files at a time, because one alone mostly waits. */
const inPairs = ['--parallel', '--jobs', '2'];

/** The parts of the test run, in order. A check counts one failure when it fails; what passes is counted in tests alone. @type {Record<string, Part>} */
export const parts = {
  build: {
    always: true,
    needs: [],
    async run({ processes, say }) {
      await packageIfChanged(processes, say);
      return { passed: 0, failed: 0 };
    },
  },
  types: {
    always: true,
    needs: [],
    async run({ processes }) {
      const projects = ['.', 'src/ui/page', 'test'];
      let failed = 0;
      for (const project of projects) {
        // The native compiler reports the same errors as the linter's, in a third of the time.
        if ((await node(processes, [bin('typescript-native/bin/tsc'), '--pretty', '-p', project])) !== 0) failed += 1;
      }
      return { passed: 0, failed };
    },
  },
  lint: {
    always: true,
    needs: [],
    async run({ processes }) {
      const style = await node(processes, [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings', '.']);
      const imports = await node(processes, [bin('dependency-cruiser/bin/dependency-cruise.mjs'), 'src']);
      const format = await node(processes, [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.']);
      const texts = await node(processes, [join(root, 'scripts/l10n.mjs'), '--check']);
      const workflows = await node(processes, [join(root, 'scripts/workflows.mjs')]);
      return check(style || imports || format || texts || workflows);
    },
  },
  unit: {
    always: true,
    needs: [],
    run: (context) => mocha(context, ['test/unit/**/*.test.ts'], inPairs),
  },
  // Histories of a simulated world, in two processes.
  world: {
    always: true,
    needs: [],
    run: (context) => mocha(context, ['test/world/world.test.ts'], []),
  },
  // The built command line, in a process for each run.
  cli: {
    always: true,
    needs: [],
    run: (context) => mocha(context, largestFirst('test/cli'), inPairs),
  },
  page: {
    always: true,
    needs: [],
    browser: true,
    run: (context) => mocha(context, largestFirst('test/page'), inPairs),
  },
  integration: {
    always: true,
    needs: ['build'],
    browser: true,
    run: (context) => inServer(context, 'integration'),
  },
  workbench: {
    always: true,
    needs: ['build'],
    browser: true,
    run: (context) => inWorkbench(context, 'test/workbench'),
  },
  pictures: {
    always: false,
    needs: [],
    browser: true,
    run: (context) => inWorkbench(context, 'test/pictures'),
  },
  soak: {
    always: false,
    needs: [],
    browser: true,
    async run(context) {
      const whole = [
        'test/unit/fuzz/**/*.test.ts',
        'test/unit/sync/projects.test.ts',
        'test/unit/faults/matrix.test.ts',
        'test/unit/growth/growth.test.ts',
        'test/timed/growth.test.ts',
      ];
      const unit = await mocha(context, whole, [...inPairs, '--timeout', '900000'], {
        MAILING_STUDIO_FUZZ_RUNS: '10',
        MAILING_STUDIO_FAULTS: 'all',
      });
      const pages = ['test/page/preview/rendering.test.ts', 'test/page/preview/hostile.test.ts'];
      const page = await mocha(context, pages, [...inPairs, '--timeout', '900000'], {
        MAILING_STUDIO_FUZZ_RUNS: '10',
        MAILING_STUDIO_CASES: 'all',
      });
      return sum([unit, page, await inServer(context, 'soak', 40)]);
    },
  },
  desktop: {
    always: false,
    needs: [],
    async run({ processes, say, grep, result }) {
      await packageIfChanged(processes, say);
      await bundleIntegrationTests();
      rmSync(result, { force: true });
      return inDesktop(processes, { result, grep });
    },
  },
  // The package that users install: the one in the folder that MAILING_STUDIO_PACKAGES names, or a new one.
  smoke: {
    always: false,
    needs: [],
    browser: true,
    async run({ processes, say, result }) {
      const browser = findChromium();
      const installed = await findPackage(processes, say);
      const runner = await bundleIntegrationTests('smoke');
      rmSync(result, { force: true });
      const options = { result, say, browser, runner, vsix: installed };
      return counted(result, await runInServer(processes, options));
    },
  },
  'smoke-desktop': {
    always: false,
    needs: [],
    async run({ processes, say, result }) {
      const installed = await findPackage(processes, say);
      const runner = await bundleIntegrationTests('smoke');
      rmSync(result, { force: true });
      return inDesktop(processes, { result, runner, vsix: installed });
    },
  },
};

/**
 * @param {import('./processes.mjs').Processes} processes
 * @param {Parameters<typeof runInDesktop>[1]} options
 */
async function inDesktop(processes, options) {
  const code = await runInDesktop(processes, options).catch((error) => {
    // The exit code of a run with failures arrives as an error too.
    console.error(error instanceof Error ? error.message : error);
    return 1;
  });
  return counted(options.result, code);
}

/**
 * @param {import('./processes.mjs').Processes} processes
 * @param {(line: string) => void} say
 * @returns {Promise<string>} path of the package
 */
async function findPackage(processes, say) {
  const folder = process.env['MAILING_STUDIO_PACKAGES'];
  if (!folder) {
    await packageIfChanged(processes, say);
    return vsix;
  }
  const [name, ...others] = readdirSync(folder).filter((file) => file.endsWith('.vsix'));
  if (!name || others.length > 0) throw new Error(`${folder} must contain one .vsix file.`);
  return resolve(folder, name);
}

/**
 * @param {import('./processes.mjs').Processes} processes
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] beside this process's own
 */
function node(processes, args, env) {
  return run(processes, findNode(), args, { cwd: root, env: { ...process.env, ...env } });
}

/**
 * Runs a folder's tests in windows of VS Code, driven by a browser.
 * @param {Context} context
 * @param {string} folder
 */
async function inWorkbench(context, folder) {
  await packageIfChanged(context.processes, context.say);
  await fetchVSCode(context.processes, context.say);
  return mocha(context, largestFirst(folder), [...inPairs, '--timeout', '300000']);
}

/**
 * Returns a folder's test files, largest first: they take longest, so none should start last.
 * @param {string} folder
 */
function largestFirst(folder) {
  const size = (/** @type {string} */ file) => statSync(join(root, file)).size;
  return filesIn(folder)
    .filter((file) => file.endsWith('.test.ts'))
    .sort((one, other) => size(other) - size(one));
}

/**
 * @param {readonly Outcome[]} outcomes
 * @returns {Outcome}
 */
function sum(outcomes) {
  return {
    passed: outcomes.reduce((total, { passed }) => total + passed, 0),
    failed: outcomes.reduce((total, { failed }) => total + failed, 0),
    failures: outcomes.flatMap(({ failures = [] }) => failures),
    slowest: findSlowest(outcomes.flatMap(({ slowest = [] }) => slowest)),
  };
}

/** @param {number} code */
function check(code) {
  return { passed: 0, failed: code === 0 ? 0 : 1 };
}

/**
 * Runs tests in the extension hosts of three windows, each with its own VS Code server, because one alone mostly waits for pauses and timeouts. The
 * output of the second and the third one is printed at the end.
 * @param {Context} context
 * @param {string} name of their folder in test/
 * @param {number} [minutes] they may take
 * @returns {Promise<Outcome>}
 */
async function inServer({ processes, say, grep, result }, name, minutes) {
  const browser = findChromium();
  await packageIfChanged(processes, say);
  await fetchVSCode(processes, say);
  const runner = await bundleIntegrationTests(name);
  const claims = join(out, `claims-${name}`);
  removeScratch(claims);
  mkdirSync(claims);
  /** @type {string[]} */
  const later = [];
  const keep = (/** @type {string} */ line) => void later.push(line);
  const outcomes = await Promise.all(
    [say, keep, keep].map(async (onLine, index) => {
      const ownResult = result.replace(/\.json$/, `-${index}.json`);
      rmSync(ownResult, { force: true });
      const code = await runInServer(processes, {
        result: ownResult,
        grep,
        claims,
        say: onLine,
        browser,
        runner,
        minutes,
      }).catch((error) => {
        console.error(error instanceof Error ? error.message : error);
        return 1;
      });
      return counted(ownResult, code);
    }),
  );
  for (const line of later) say(line);
  return sum(outcomes);
}

/**
 * Runs tests in plain Node, which runs TypeScript directly.
 * @param {Context} context
 * @param {string[]} files
 * @param {string[]} options
 * @param {NodeJS.ProcessEnv} [env] beside this process's own
 */
async function mocha({ processes, grep, result }, files, options, env) {
  rmSync(result, { force: true });
  const code = await node(
    processes,
    [
      bin('mocha/bin/mocha.js'),
      '--reporter',
      './scripts/lib/reporter.mjs',
      '--reporter-option',
      `result=${result}`,
      ...(process.env['CI'] ? ['--forbid-only'] : []),
      ...options,
      ...(grep === undefined ? [] : ['--grep', grep]),
      ...files,
    ],
    env,
  );
  return counted(result, code);
}

/**
 * Returns the counts of a run. A run without counts, without tests, or with a failed exit code but no failed test counts as a failure.
 * @param {string} path
 * @param {number} code the run's exit code
 * @returns {Outcome}
 */
function counted(path, code) {
  if (!existsSync(path)) return { passed: 0, failed: 1 };
  /** @type {Outcome} */
  const outcome = JSON.parse(readFileSync(path, 'utf8'));
  return { ...outcome, failed: code !== 0 && outcome.failed === 0 ? 1 : outcome.failed };
}
