import { sendTest, type SendTestParts } from './tests/sendTest.ts';
import type { TestResult } from './tests/testSends.ts';

/** What each command does. */
export interface Handlers {
  sendTest(argument: unknown): Promise<TestResult | undefined>;
}

export function handlersOf(parts: SendTestParts): Handlers {
  return { sendTest: (argument) => sendTest(parts, argument) };
}
