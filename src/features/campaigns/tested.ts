import type { Campaign } from '../../service/client/index.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { createTestableMail } from '../../platform/sending/testSend/testMessage.ts';
import type { TestableSource } from '../../platform/sending/testSend/testableMails.ts';
import { campaignDocuments } from './documents.ts';
import { campaignPicking, campaignSuffixes } from './model.ts';

export function createTestableSource(services: ExtensionServices): TestableSource {
  const mail = { kind: campaignDocuments, parts: campaignSuffixes, getMailId: readMailId };
  return { picking: campaignPicking, open: (ref) => createTestableMail(services, mail, ref) };
}

/** Returns the id of the campaign's mail, which differs from the campaign id. Undefined if the record doesn't contain it. */
function readMailId({ mail_id: id }: Campaign): number | undefined {
  const number = typeof id === 'string' || typeof id === 'number' ? Number(id) : NaN;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
