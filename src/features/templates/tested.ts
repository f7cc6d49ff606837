import type { ExtensionServices } from '../../platform/services.ts';
import { createTestableMail } from '../../platform/sending/testSend/testMessage.ts';
import type { TestableSource } from '../../platform/sending/testSend/testableMails.ts';
import { templateDocuments } from './documents.ts';
import { templatePicking, templateSuffixes } from './model.ts';

/** Makes templates available to test sends. */
export function testedTemplates(services: ExtensionServices): TestableSource {
  const mail = { kind: templateDocuments, parts: templateSuffixes, getMailId: ({ id }: { readonly id: number }) => id };
  return { picking: templatePicking, open: (ref) => createTestableMail(services, mail, ref) };
}
