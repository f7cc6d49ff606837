import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Subject } from '../../../sync/requests/journal.ts';
import type { TestMessage } from '../../../platform/documents/recordCollections.ts';

const TEST_LOG_KEY = 'mailing.tests';
const MAX_LOGGED_TESTS = 100;

interface LoggedTest {
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
    return this.#all[getLogKey(subject)];
  }

  get isEmpty(): boolean {
    return Object.keys(this.#all).length === 0;
  }

  record(subject: Subject, test: LoggedTest): void {
    const { [getLogKey(subject)]: _, ...others } = this.#all;
    const newest = Object.entries(others).slice(-(MAX_LOGGED_TESTS - 1));
    void this.#state.update(TEST_LOG_KEY, { ...Object.fromEntries(newest), [getLogKey(subject)]: test });
  }

  get #all(): Readonly<Record<string, LoggedTest>> {
    return this.#state.get(TEST_LOG_KEY) ?? {};
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

function getLogKey({ connection, baseUrl, what }: Subject) {
  return `${connection}\n${baseUrl}\n${what}`;
}
