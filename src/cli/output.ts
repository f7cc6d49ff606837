import { Socket } from 'node:net';
import { createColors } from 'picocolors';
import type { SentOptions } from '../email/sent/model.ts';
import type { ProfileName } from '../service/client/profiles.ts';
import { redactKey } from '../service/client/redact.ts';

/** Exit codes of all commands. */
export const CLEAN = 0;
/** There are findings or differences, or a push was refused. */
export const FOUND = 1;
/** The command couldn't run. */
export const FAILED = 2;

/** The command couldn't run. The message has two lines: the problem, and the next step. */
export class CommandError extends Error {
  constructor(problem: string, advice: string) {
    super(`${toLine(problem)}\n${toLine(advice)}`);
  }
}

// Control characters, and characters that hide text or change its direction.
const unprintable = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns a text of a file or a service as one printable line. */
export function toLine(text: string): string {
  return text.replace(new RegExp(`${unprintable.source}+`, 'gu'), ' ').trim();
}

/** Returns a text of several lines without characters that control a terminal. */
export function toPrintable(text: string): string {
  return text.replace(unprintable, (char) => (char === '\n' || char === '\t' ? char : '\uFFFD'));
}

/**
 * Returns a text without keys, and without what GitHub Actions would run as a command in any output. It ignores white space before two
 * colons.
 */
function toShown(text: string, hasCommands = false) {
  const shown = withoutKeys(text);
  if (process.env['GITHUB_ACTIONS'] !== 'true') return shown;
  return shown.replace(hasCommands ? /#(?=#\[)/gu : /#(?=#\[)|:(?=:)(?<=^[\s\u0085]*:)/gmu, '\uFFFD');
}

export interface OutputOptions {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** The options of commands on emails. */
export interface EmailCommand extends OutputOptions {
  readonly profile?: ProfileName;
  readonly cms?: SentOptions['cms'];
  /** Path of a `mailing.json` to use instead of the nearest one. */
  readonly config?: string;
}

/** The output of a command. Removes keys from it. */
export class Output {
  readonly isTerminal = process.stdout.isTTY === true;
  readonly colors = createColors(this.isTerminal && !process.env['NO_COLOR']);
  readonly #options: OutputOptions;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /**
   * Prints a result.
   * @param hasCommands whether it contains commands for GitHub Actions
   */
  print(text: string, hasCommands?: boolean): void {
    const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    // A file is not a log.
    process.stdout.write(process.stdout instanceof Socket ? toShown(whole, hasCommands) : withoutKeys(whole));
  }

  /** Prints progress or a summary on stderr. */
  note(text: string): void {
    if (this.#options.quiet !== true) printError(toLine(text));
  }

  /** Prints details on stderr. */
  detail(text: string): void {
    if (this.#options.verbose === true) printError(toLine(text));
  }
}

/** Returns an error in two lines: the problem, and the next step. */
export function describeError(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  const sentences = String(error instanceof Error ? error.message : error).split(/(?<=[.!?]["”)]?) +(?=\p{Lu})/u);
  const advice = sentences.length > 1 ? sentences.pop() : undefined;
  return new CommandError(sentences.join(' '), advice ?? 'Correct this and run the command again.').message;
}

/** Prints an error on stderr. */
export function printError(text: string): void {
  process.stderr.write(`${toShown(text)}\n`);
}

/** Removes all keys of the environment. */
export function withoutKeys(text: string): string {
  const keys = Object.entries(process.env).filter(([name]) => /^MAILING_API_KEY(?:_|$)/u.test(name));
  return keys.reduce((shown, [, key]) => (key === undefined || key === '' ? shown : redactKey(shown, key)), text);
}
