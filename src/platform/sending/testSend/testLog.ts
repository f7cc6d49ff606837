import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Subject } from '../journal.ts';
import type { TestMessage } from './model.ts';

const TEST_LOG_KEY = 'mailing.tests';
const MAX_LOGGED_TESTS = 100;

export interface LoggedTest {
  /** In ms since the epoch. */
  readonly at: number;
  /** Hash of the sent text. */
  readonly fingerprint: string;
  readonly recipients: number;
}

/** When each email was last tested, and a hash of the tested text. Stored in the workspace. */
export class TestLog {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  getLast(subject: Subject): LoggedTest | undefined {
    const found = new Map(this.#all).get(getLogKey(subject));
    return isLoggedTest(found) ? found : undefined;
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  record(subject: Subject, test: LoggedTest): void {
    const name = getLogKey(subject);
    const others = this.#all.filter(([each]) => each !== name);
    void this.#state.update(TEST_LOG_KEY, Object.fromEntries([...others.slice(-(MAX_LOGGED_TESTS - 1)), [name, test]]));
  }

  get #all(): readonly (readonly [string, unknown])[] {
    return Object.entries(this.#state.get<Readonly<Record<string, unknown>>>(TEST_LOG_KEY) ?? {});
  }
}

/** Returns a hash of an email's text and envelope. */
export function hashMessage({
  envelope: { subject, preheader },
  body,
}: Pick<TestMessage, 'envelope' | 'body'>): string {
  return createHash('sha256')
    .update(JSON.stringify([subject, preheader, body]))
    .digest('hex')
    .slice(0, 32);
}

function getLogKey({ connection, baseUrl, what }: Subject): string {
  return `${connection}\n${baseUrl}\n${what}`;
}

function isLoggedTest(value: unknown): value is LoggedTest {
  if (typeof value !== 'object' || value === null) return false;
  const { at, fingerprint, recipients } = value as Readonly<Record<string, unknown>>;
  return typeof at === 'number' && typeof fingerprint === 'string' && typeof recipients === 'number';
}
