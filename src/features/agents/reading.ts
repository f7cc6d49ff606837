import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { readTagLanguage } from '../../email/tags/index.ts';
import { getComposingProfile } from '../../platform/connections/model.ts';
import { findRecordDocuments, isUnsaved } from '../../platform/documents/unsaved.ts';
import { getCheckOptions } from '../../platform/language/checks/checkOptions.ts';
import type { MailParts } from '../../platform/preview/host/source.ts';
import { readingTools, type MailTexts, type ReadingTool, type ToolHost } from '../../sync/tools/reading.ts';
import type { EmailInput, ToolName } from '../../sync/tools/schemas.ts';
import { campaignSuffixes } from '../campaigns/model.ts';
import { templateSuffixes } from '../templates/model.ts';
import type { Call, Tool, Tools } from './tool.ts';

const createReadingTool = <Name extends ReadingTool>(name: Name, getProgressMessage: () => string): Tool<Name> => ({
  getProgressMessage,
  run: (call) => readingTools[name](createHost(call), call.input),
});

/** The tools that read. */
export const editorReadingTools: Pick<Tools, ReadingTool> = {
  mailing_find: createReadingTool('mailing_find', () => t('Searching')),
  mailing_statistics: createReadingTool('mailing_statistics', () => t('Reading statistics')),
  mailing_readTemplate: createReadingTool('mailing_readTemplate', () => t('Reading a template')),
  mailing_checkEmail: createReadingTool('mailing_checkEmail', () => t('Checking an email')),
  mailing_renderEmail: createReadingTool('mailing_renderEmail', () => t('Rendering an email')),
};

/** Connects the tools with the connection of a call, the editor's documents and the worker. */
function createHost({ services, connection, signal }: Call<ToolName>): ToolHost {
  return {
    profile: getComposingProfile(connection),
    site: connection.baseUrl,
    language: readTagLanguage(connection.tags),
    signal,
    run: (operation) => services.connections.run(connection.id, operation),
    readMail: (id, kind) => readMail({ services, connection }, { id, kind }),
    check: async (email) => {
      const uri = vscode.Uri.from({ scheme: 'mailing', authority: connection.id, path: '/' });
      const job = { email, options: await getCheckOptions(services.connections, uri) };
      return (await services.worker()).run('check', job, { signal, about: email.subject });
    },
    compose: async (email, options) =>
      (await services.worker()).run('compose', { email, options }, { signal, about: email.subject }),
  };
}

/** The documents of the emails that tools support, by the kind in their input. */
export const mailKinds = {
  template: { collection: 'templates', parts: templateSuffixes },
  campaign: { collection: 'campaigns', parts: campaignSuffixes },
} as const satisfies Readonly<
  Record<NonNullable<EmailInput['kind']>, { readonly collection: string; readonly parts: MailParts }>
>;

type CallContext = Pick<Call<ToolName>, 'services' | 'connection'>;

/** Returns the texts of an email, including unsaved edits. @throws `ApiError` */
export async function readMail(
  { services: { documents }, connection: { id: connection } }: CallContext,
  { id, kind = 'template' }: { readonly id: number; readonly kind?: EmailInput['kind'] },
): Promise<MailTexts> {
  const { collection, parts }: { readonly collection: string; readonly parts: MailParts } = mailKinds[kind];
  const record = await (await documents.getRecord(collection, { connection, id })).read();
  const { kind: documentKind } = documents.getRecordAddress(collection, { connection, id });
  const edited = findRecordDocuments(collection, { connection, id }).filter(isUnsaved);
  const findEdited = (part: keyof MailParts): string | undefined =>
    edited.find(({ uri }) => documents.find(uri)?.part.suffix === parts[part])?.getText();
  const read = (part: keyof MailParts): string =>
    findEdited(part) ?? documentKind.parts.find(({ suffix }) => suffix === parts[part])?.render(record) ?? '';
  const unsaved = (['body', 'stylesheet', 'details'] as const).filter((part) => findEdited(part) !== undefined);
  return {
    name: documentKind.name(record),
    body: read('body'),
    stylesheet: read('stylesheet'),
    details: read('details'),
    isReadOnly: documentKind.getReadOnlyReason(record) !== undefined,
    describeEdits: (about) => {
      const parts = unsaved.filter((part) => about === undefined || part === about);
      return parts.length > 0 && `As the user has it in the editor and has not saved it: ${parts.join(', ')}.`;
    },
  };
}
