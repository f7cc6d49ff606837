import type { ExtensionServices } from '../../platform/services.ts';
import { createTestableMail } from '../../platform/sending/testSend/recordMail.ts';
import type { TestableSource } from '../../platform/sending/testSend/testableMails.ts';
import { templateDocuments } from './documents.ts';
import { picking, suffixes } from './model.ts';

/** Templates as emails that tests are sent of. */
export function testedTemplates(services: ExtensionServices): TestableSource {
  const mail = { kind: templateDocuments, parts: suffixes, getMailId: ({ id }: { readonly id: number }) => id };
  return { picking, open: (ref) => createTestableMail(services, mail, ref) };
}
