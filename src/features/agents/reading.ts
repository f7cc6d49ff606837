import * as vscode from 'vscode';
import { readTagLanguage } from '../../email/tags/index.ts';
import {
  getComposingProfile,
  toServiceRef,
  type Connection,
  type RecordRef,
} from '../../platform/connections/model.ts';
import type { Documents } from '../../platform/documents/documents.ts';
import { findRecordDocuments, isUnsaved } from '../../platform/documents/unsaved.ts';
import { getCheckOptions } from '../language/checks/checkOptions.ts';
import type { MailParts } from '../preview/source.ts';
import type { ExtensionServices } from '../services.ts';
import type { MailTexts } from '../../sync/tools/reading.ts';
import { campaignSuffixes } from '../campaigns/model.ts';
import { templateSuffixes } from '../templates/model.ts';
import type { EditorToolContext } from './tool.ts';

/** Connects the tools with the connection of a call, the editor's documents and the worker. */
export function createToolContext(
  services: ExtensionServices,
  connection: Connection,
  signal: AbortSignal,
): EditorToolContext {
  const profile = getComposingProfile(connection);
  return {
    services,
    connection,
    profile,
    language: readTagLanguage(connection.tags),
    signal,
    run: (operation) => services.connections.run(toServiceRef(connection), operation),
    readMail: (id, kind) => readMail(services.documents, { ...toServiceRef(connection), id }, mailKinds[kind]),
    check: async (email) => {
      const uri = vscode.Uri.from({ scheme: 'mailing', authority: connection.id, path: '/' });
      const job = { email, options: await getCheckOptions(services.connections, uri, email.body) };
      return (await services.worker()).run('check', job, { signal, about: email.subject });
    },
    compose: async (email) => {
      const job = { email, options: await services.connections.getSending(connection.id, email.body) };
      return (await services.worker()).run('compose', job, { signal, about: email.subject });
    },
  };
}

interface MailKind {
  readonly collection: string;
  readonly parts: MailParts;
}

/** The documents of the emails that tools support, by the kind in their input. */
export const mailKinds: Readonly<Record<'template' | 'campaign', MailKind>> = {
  template: { collection: 'templates', parts: templateSuffixes },
  campaign: { collection: 'campaigns', parts: campaignSuffixes },
};

/** Returns the texts of an email, including unsaved edits. @throws `ApiError` */
async function readMail(documents: Documents, ref: RecordRef, { collection, parts }: MailKind): Promise<MailTexts> {
  const record = await (await documents.getRecord(collection, ref)).read();
  const { kind } = documents.getRecordAddress(collection, ref);
  const edited = findRecordDocuments(collection, ref).filter(isUnsaved);
  const findEdited = (part: keyof MailParts) =>
    edited.find(({ uri }) => documents.find(uri)?.part.suffix === parts[part])?.getText();
  const read = (part: keyof MailParts) =>
    findEdited(part) ?? kind.parts.find(({ suffix }) => suffix === parts[part])?.render(record) ?? '';
  const unsaved = (['body', 'stylesheet', 'details'] as const).filter((part) => findEdited(part) !== undefined);
  return {
    name: kind.name(record),
    body: read('body'),
    stylesheet: read('stylesheet'),
    details: read('details'),
    isReadOnly: kind.getReadOnlyReason(record) !== undefined,
    note: unsaved.length > 0 && `As the user has it in the editor and has not saved it: ${unsaved.join(', ')}.`,
  };
}
