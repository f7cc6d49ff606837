import { currentMessage } from '../sending/testMessage.ts';
import type { TestResult } from '../sending/testSends.ts';
import { suffixes, templateDocuments } from './documents.ts';
import type { Templates } from './templates.ts';

/** Sends what is in the editors of a template now, saved or not, to the connection's test list. */
export async function sendTest(templates: Templates, argument: unknown): Promise<TestResult | undefined> {
  const { documents, testSends } = templates.rooms;
  const ref = await templates.choose(argument, 'Send Test E-mail');
  if (ref === undefined) return undefined;
  const message = await currentMessage(documents, templateDocuments.collection, suffixes, ref);
  return (await testSends()).send(ref, templateDocuments.collection, message);
}
