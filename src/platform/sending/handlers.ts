import { sendTest, type SendTestParts } from './testSend/sendTest.ts';
import type { TestResult } from './testSend/testSends.ts';
import type { CommandArgument } from '../ui/commands.ts';

/** What each command does. */
export interface Handlers {
  sendTest(argument: CommandArgument): Promise<TestResult | undefined>;
}

export function handlersOf(parts: SendTestParts): Handlers {
  return { sendTest: (argument) => sendTest(parts, argument) };
}
