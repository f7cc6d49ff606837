import * as vscode from 'vscode';
import { currentMessage } from '../sending/testMessage.ts';
import { suffixes, templateDocuments } from './documents.ts';
import type { Templates } from './templates.ts';

/**
 * Makes a campaign of a template as its editors have it now: body and stylesheet as the preview shows them, subject and sender taken along.
 */
export async function createCampaign(templates: Templates, argument: unknown): Promise<unknown> {
  const ref = await templates.choose(argument, 'Create Campaign from Template');
  if (ref === undefined) return undefined;
  const { name, envelope, body } = await currentMessage(templates.rooms.documents, templateDocuments.collection, suffixes, ref);
  const { subject, from_name, from_email, reply_to_name, reply_to_email } = envelope;
  // Without a subject the campaign's room asks for one: a campaign can't be without.
  return vscode.commands.executeCommand('mailing.campaign.create', {
    connection: ref.connection, name, ...(subject === '' ? {} : { subject }), from_name, from_email, reply_to_name, reply_to_email, body,
  });
}
