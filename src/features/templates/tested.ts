import type { ExtensionServices } from '../../platform/services.ts';
import { recordMail } from '../../platform/sending/testSend/recordMail.ts';
import type { TestedRoom } from '../../platform/sending/testSend/tested.ts';
import { templateDocuments } from './documents.ts';
import { picking, suffixes } from './model.ts';

/** Templates as emails that tests are sent of. */
export function testedTemplates(services: ExtensionServices): TestedRoom {
  const mail = { kind: templateDocuments, parts: suffixes, emailId: ({ id }: { readonly id: number }) => id };
  return { picking, open: (ref) => recordMail(services, mail, ref) };
}
