import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { cli } from '../../esbuild.mjs';
import { emptyScratch, makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';

/** The result of a run of the command line. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
}

/** The folder of the built command line. All test files of a process share it. */
let built: Promise<string> | undefined;

async function buildOnce() {
  const outdir = makeScratch();
  process.once('exit', () => removeScratch(outdir));
  await build({ ...cli, outdir, logLevel: 'silent' });
  // The bundle consists of modules.
  writeFileSync(join(outdir, 'package.json'), '{ "type": "module" }');
  return outdir;
}

/** The built command line in a temporary folder that it runs in. */
export class CommandLine {
  readonly folder = makeScratch();
  /** Path of the built command. */
  readonly main: string;

  private constructor(main: string) {
    this.main = main;
  }

  static async build(): Promise<CommandLine> {
    return new CommandLine(join(await (built ??= buildOnce()), 'mailing.js'));
  }

  /** Writes files into the folder. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  /** Removes all files of the folder. */
  clear(): void {
    emptyScratch(this.folder);
  }

  run(args: readonly string[], { env = {}, stdin, cwd = '' }: RunOptions = {}): Promise<Run> {
    const { PATH = '', HOME = '' } = process.env;
    return new Promise((resolve) => {
      const options = { cwd: join(this.folder, cwd), env: { PATH, HOME, ...env }, timeout: 120_000 };
      const child = execFile(process.execPath, [this.main, ...args], options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr });
      });
      // The command may end before it has read everything.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(stdin ?? '');
    });
  }

  /** Runs git in the folder. */
  git(...args: readonly string[]): Promise<string> {
    const settings = [
      'user.name=Test',
      'user.email=test@example.com',
      'init.defaultBranch=main',
      'core.autocrlf=false',
    ];
    const options = settings.flatMap((setting) => ['-c', setting]);
    return new Promise((resolve, reject) => {
      execFile('git', [...options, ...args], { cwd: this.folder }, (error, stdout) =>
        error === null ? resolve(stdout) : reject(new Error(error.message)),
      );
    });
  }

  dispose(): void {
    removeScratch(this.folder);
  }
}
