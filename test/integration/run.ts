import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { Recorder } from '../../scripts/lib/outcome.mjs';

/** The slowest files run first, so that no window runs one of them alone at the end. */
const LONGEST = ['writers/', 'faults/', 'language/', 'sourceControl/onSave', 'sending/', 'secrets/', 'networks/'];

/**
 * Entry for VS Code's `extensionTestsPath`: runs the bundled tests beside this file with mocha, inside the extension host. Several windows share
 * the files: each window claims one at a time in the folder that MAILING_STUDIO_TEST_CLAIMS names. The counts go to the file that
 * MAILING_STUDIO_TEST_RESULT names. MAILING_STUDIO_TEST_GREP selects tests by title. Printed lines begin with MAILING_STUDIO_TEST_MARK, which
 * separates them from the workbench's own.
 * @throws {Error} when a test fails, so that the run's exit code is not 0
 */
export async function run(): Promise<void> {
  // VS Code forwards the arguments of console.log separately, so they are formatted here.
  const mark = process.env['MAILING_STUDIO_TEST_MARK'] ?? '';
  Mocha.reporters.Base.consoleLog = (...args: Parameters<typeof format>) =>
    console.log(mark + format(...args).replaceAll('\n', `\n${mark}`));
  const claims = process.env['MAILING_STUDIO_TEST_CLAIMS'];

  const recorder = new Recorder();
  for (const name of testFiles()) {
    if (claims && !claim(join(claims, name.replaceAll(/[\\/]/gu, '-')))) continue;
    await runFile(join(import.meta.dirname, name), recorder);
  }
  const { outcome } = recorder;
  const result = process.env['MAILING_STUDIO_TEST_RESULT'];
  if (result) writeFileSync(result, JSON.stringify(outcome));
  if (outcome.failed > 0) throw new Error(`${outcome.failed} of the integration tests failed.`);
}

/** Returns the bundled test files, relative to this one, the longest first. */
function testFiles() {
  const rank = (name: string) => {
    const index = LONGEST.findIndex((start) => name.replaceAll('\\', '/').startsWith(start));
    return index < 0 ? LONGEST.length : index;
  };
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.mjs'))
    .sort((one, other) => rank(one) - rank(other) || one.localeCompare(other));
}

/** Returns whether this window is the first to claim a file: making a folder succeeds once. */
function claim(path: string) {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}

async function runFile(path: string, recorder: Recorder) {
  // VS Code in a browser enables Auto Save by default.
  await vscode.workspace.getConfiguration().update('files.autoSave', 'off', vscode.ConfigurationTarget.Global);
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', timeout: 180_000, forbidOnly: Boolean(process.env['CI']) });
  const grep = process.env['MAILING_STUDIO_TEST_GREP'];
  if (grep) mocha.grep(grep);
  mocha.addFile(path);
  await mocha.loadFilesAsync();
  await new Promise<void>((resolve) => recorder.watch(mocha.run(() => resolve())));
  mocha.dispose();
}
