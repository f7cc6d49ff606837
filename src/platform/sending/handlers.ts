import { sendTest, type SendTestServices } from './testSend/sendTest.ts';
import type { TestResult } from './testSend/testSender.ts';
import type { CommandArgument } from '../ui/commands.ts';

export interface Handlers {
  sendTest(argument: CommandArgument): Promise<TestResult | undefined>;
}

export function createHandlers(parts: SendTestServices): Handlers {
  return { sendTest: (argument) => sendTest(parts, argument) };
}
