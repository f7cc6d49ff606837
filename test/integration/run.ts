import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';

/**
 * Entry for VS Code's `extensionTestsPath`: runs the bundled tests beside this file with mocha, inside the extension host. The counts go
 * to the file that MAILING_STUDIO_TEST_RESULT names; MAILING_STUDIO_TEST_GREP selects tests by title, and what is printed begins with
 * MAILING_STUDIO_TEST_MARK, by which the host knows it among the workbench's own.
 * A test that a busy machine disturbs is tried once more, and named at the end.
 * @throws {Error} when a test fails, so that the run's exit code is not 0
 */
export async function run(): Promise<void> {
  // VS Code hands on the arguments of console.log one by one: formatted here, they arrive as mocha meant them.
  const mark = process.env['MAILING_STUDIO_TEST_MARK'] ?? '';
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(mark + format(...args).replaceAll('\n', `\n${mark}`));
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', timeout: 30_000, forbidOnly: Boolean(process.env['CI']), retries: 1 });
  const grep = process.env['MAILING_STUDIO_TEST_GREP'];
  if (grep) mocha.grep(grep);

  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.mjs')).sort();
  for (const name of tests) mocha.addFile(join(import.meta.dirname, name));
  await mocha.loadFilesAsync();

  const triedAgain: string[] = [];
  const { passes, failures } = await new Promise<Mocha.Stats>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats ?? { suites: 0, tests: 0, passes: 0, pending: 0, failures: 1 }));
    runner.on('retry', (test: Mocha.Test, error: Error) => triedAgain.push(`${test.fullTitle()}: ${error.message}`));
  });
  for (const test of triedAgain) console.log(`${mark}Tried twice: ${test.replaceAll('\n', ' ')}`);
  const result = process.env['MAILING_STUDIO_TEST_RESULT'];
  if (result) writeFileSync(result, JSON.stringify({ passed: passes, failed: failures }));
  if (failures > 0) throw new Error(`${failures} of the integration tests failed.`);
}
