import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { readEnvelope, readHeaders } from '../../email/compose/compose.ts';
import { createRendering, readTagLanguage, renderTags, samplePeople } from '../../email/tags/index.ts';
import { getComposingProfile } from '../../platform/connections/model.ts';
import type { RecordChoice, RecordSource } from '../../platform/documents/recordCommands.ts';
import { findRecordDocuments, isUnsaved } from '../../platform/documents/unsaved.ts';
import { getCheckOptions } from '../../platform/language/checks/checkOptions.ts';
import type { MailParts } from '../../platform/preview/host/source.ts';
import { getTestListId, getTestRecipients } from '../../platform/sending/testSend/recipientPick.ts';
import { toSingleLine } from '../../service/text.ts';
import { campaignSuffixes } from '../campaigns/model.ts';
import { campaignPicking } from '../campaigns/picker.ts';
import { followUpPicking } from '../followUps/model.ts';
import { listPicking } from '../lists/model.ts';
import { createOverview } from '../../service/statistics/overview.ts';
import { createSource } from '../statistics/host/source.ts';
import type { Figure, Overview } from '../../service/statistics/model.ts';
import { templatePicking, templateSuffixes } from '../templates/model.ts';
import type { EmailInput, Inputs, ToolName } from '../../sync/tools/schemas.ts';
import { createDone, createNotDone, formatEnglishCount, type Call, type ToolResult, type Tools } from './tool.ts';

const MAX_ROWS = 50;
const MAX_FINDINGS = 100;

/** The tools that read. They never return personal data. */
export const readingTools = {
  mailing_find: {
    getProgressMessage: () => t('Searching'),
    needsNoConnection: ({ what }) => what === 'connections',
    run: find,
  },
  mailing_statistics: { getProgressMessage: () => t('Reading statistics'), run: readStatistics },
  mailing_readTemplate: { getProgressMessage: () => t('Reading a template'), run: readTemplate },
  mailing_checkEmail: { getProgressMessage: () => t('Checking an email'), run: checkEmail },
  mailing_renderEmail: { getProgressMessage: () => t('Rendering an email'), run: renderEmail },
} satisfies Partial<Tools>;

/** Record types, as named in the tool's input. */
const SOURCES: Readonly<Record<Exclude<Inputs['mailing_find']['what'], 'connections'>, RecordSource<RecordChoice>>> = {
  templates: templatePicking,
  campaigns: campaignPicking,
  followUps: followUpPicking,
  lists: listPicking,
};

async function find({ services, input, connection, connections, signal }: Call<'mailing_find'>): Promise<ToolResult> {
  const { what, search = '' } = input;
  if (what === 'connections') {
    const rows = connections.map((each) => ({
      connection: each.id,
      name: toSingleLine(each.name),
      profile: each.profile,
      isSandbox: each.sandbox === true,
      testList: getTestListId(each) ?? 'none is set',
      lastRecipients: getTestRecipients(each).length,
    }));
    return formatRows(rows, 'connection');
  }
  const found = await services.connections.run(connection.id, (client) =>
    SOURCES[what].search(client, search.trim(), signal),
  );
  return formatRows(
    found.map(({ id, label: name, description: is, detail }) => ({ id, name, is, detail })),
    'record',
  );
}

function formatRows(rows: readonly object[], noun: string): ToolResult {
  const lines = rows.slice(0, MAX_ROWS).map((row) => JSON.stringify(row));
  const sentences = [
    rows.length === 0 ? 'Nothing was found.' : `${formatEnglishCount(lines.length, noun)}, one on each line.`,
    rows.length > lines.length && 'There are more: search for a name.',
  ];
  return createDone(sentences, lines.length > 0 ? { text: lines.join('\n'), isEmailText: false } : undefined);
}

async function readStatistics({
  services,
  input,
  connection,
  signal,
}: Call<'mailing_statistics'>): Promise<ToolResult> {
  const texts = await Promise.all(
    [...new Set(input.campaigns)].map(async (id) => {
      const source = createSource(services.connections, { connection: connection.id, id });
      return [`Campaign ${id}`, ...formatOverview(createOverview(await source.figures(signal)))].join('\n');
    }),
  );
  const message = 'Figures of each campaign, as reported by the service.';
  return createDone([message], { text: texts.join('\n\n'), isEmailText: false });
}

/** Leaves out unrecognized fields, which may contain anything. */
function formatOverview({ isUnsent, isUnopened, figures, sales, remarks }: Overview): readonly string[] {
  const line = ({ label, value, rate }: Figure): string =>
    `${label}: ${value}${rate === undefined ? '' : ` (${rate.value} ${rate.of})`}`;
  return [
    ...(isUnsent ? ['Nothing was sent yet.'] : isUnopened ? ['No opens yet.'] : []),
    ...[...figures, ...sales].map(line),
    ...remarks,
  ];
}

/** The documents of the emails that tools support, by the kind in their input. */
export const mailKinds = {
  template: { collection: 'templates', parts: templateSuffixes },
  campaign: { collection: 'campaigns', parts: campaignSuffixes },
} as const satisfies Readonly<
  Record<NonNullable<EmailInput['kind']>, { readonly collection: string; readonly parts: MailParts }>
>;

type CallContext = Pick<Call<ToolName>, 'services' | 'connection'>;

/** The texts of an email by part, including unsaved edits. */
interface MailTexts extends Readonly<Record<keyof typeof templateSuffixes, string>> {
  readonly name: string;
  /** The documents with unsaved edits. */
  readonly unsaved: readonly string[];
  readonly isReadOnly: boolean;
}

/** @throws `ApiError` */
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
  return {
    name: documentKind.name(record),
    body: read('body'),
    stylesheet: read('stylesheet'),
    details: read('details'),
    unsaved: (['body', 'stylesheet', 'details'] as const).filter((part) => findEdited(part) !== undefined),
    isReadOnly: documentKind.getReadOnlyReason(record) !== undefined,
  };
}

/** Returns the email of an input, as the `email` layer expects it. Texts in the input replace those of the stored email. @throws `ApiError` */
async function resolveMail(call: CallContext, { id, kind, body, stylesheet, subject, preheader }: EmailInput) {
  const stored = id === undefined ? undefined : await readMail(call, { id, kind });
  const details = stored?.details ?? '';
  const envelope = readEnvelope(details);
  return {
    name: stored?.name ?? '',
    email: {
      body: body ?? stored?.body ?? '',
      stylesheet: stylesheet ?? stored?.stylesheet ?? '',
      subject: subject ?? envelope.subject,
      preheader: preheader ?? envelope.preheader,
      headers: readHeaders(details),
    },
    fromEmail: stored && envelope.from_email,
    note: describeUnsaved(stored?.unsaved ?? []),
  };
}

/** Returns a sentence that names the documents with unsaved edits, if there are any. */
function describeUnsaved(unsaved: readonly string[]): string | false {
  return unsaved.length > 0 && `As the user has it in the editor and has not saved it: ${unsaved.join(', ')}.`;
}

async function readTemplate(call: Call<'mailing_readTemplate'>): Promise<ToolResult> {
  const { id, part = 'body', offset } = call.input;
  const mail = await readMail(call, { id });
  const text = mail[part];
  const sentences = [
    `The ${part} of template ${id}, ${formatEnglishCount(text.length, 'character')}${text === '' ? ': it is empty.' : '.'}`,
    describeUnsaved(mail.unsaved.filter((name) => name === part)),
    mail.isReadOnly && 'It is read-only, because it was created with the drag-and-drop editor.',
  ];
  return createDone(sentences, { text, isEmailText: true, offset });
}

const NO_EMAIL_RESULT = createNotDone('Name an email by "id", or give a "body".');

async function checkEmail(call: Call<'mailing_checkEmail'>): Promise<ToolResult> {
  const { services, input, connection, signal } = call;
  if (input.id === undefined && input.body === undefined) return NO_EMAIL_RESULT;
  const { email, fromEmail, note } = await resolveMail(call, input);
  const uri = vscode.Uri.from({ scheme: 'mailing', authority: connection.id, path: '/' });
  const job = { email: { ...email, fromEmail }, options: await getCheckOptions(services.connections, uri) };
  const worker = await services.worker();
  const { findings, bytes } = await worker.run('check', job, { signal, about: email.subject });
  const texts: Readonly<Record<string, string>> = { body: email.body, stylesheet: email.stylesheet };
  const getLine = (part: string, at: number): number => (texts[part] ?? '').slice(0, at).split('\n').length;
  const lines = findings
    .slice(0, MAX_FINDINGS)
    .map(({ rule, severity, part, field, start, message, clients = [], fixes = [] }) =>
      JSON.stringify({
        severity,
        rule: Number(rule) || rule,
        part,
        ...(field === undefined ? { line: getLine(part, start) } : { field }),
        message,
        ...(clients.length > 0 && { clients }),
        ...(fixes.length > 0 && { fixes: fixes.map(({ title }) => title) }),
      }),
    );
  const rest = findings.length - lines.length;
  const sentences = [
    findings.length === 0
      ? 'Nothing was found.'
      : `${formatEnglishCount(findings.length, 'finding')}, one on each line.`,
    rest > 0 && `The last ${rest} are left out.`,
    bytes !== undefined && `As it is sent it has ${formatEnglishCount(bytes, 'byte')}; Gmail cuts at 102 KB.`,
    note,
  ];
  return createDone(sentences, lines.length > 0 ? { text: lines.join('\n'), isEmailText: true } : undefined);
}

async function renderEmail(call: Call<'mailing_renderEmail'>): Promise<ToolResult> {
  const { services, input, connection, signal } = call;
  if (input.id === undefined && input.body === undefined) return NO_EMAIL_RESULT;
  const { as = 'typical', part = 'html', offset } = input;
  const { name, email, note } = await resolveMail(call, input);
  const { subject, preheader } = email;
  const { baseUrl: site, tags } = connection;
  const profile = getComposingProfile(connection);
  if (part === 'text' && profile !== 'acymailing')
    return createNotDone("Text parts aren't available for this service.");
  const worker = await services.worker();
  const sent = await worker.run('compose', { email, options: { profile, site } }, { signal, about: subject });
  const language = readTagLanguage(tags);
  const person = samplePeople().find(({ id }) => id === as)?.person ?? {};
  const rendering = createRendering(person, { subject, name });
  const render = (text: string, where: 'body' | 'subject' | 'preheader'): string =>
    renderTags(text, language, { ...rendering, where }).text;
  const inbox = [`Subject: ${render(subject, 'subject')}`, `Preheader: ${render(preheader, 'preheader')}`];
  const text = [...inbox, '', render(sent[part], 'body')].join('\n');
  const sentences = [
    `The ${part === 'html' ? 'HTML' : 'text part'} as it is sent, with its tags as a made-up person would get them (${as}).`,
    profile === 'documented' && "This service doesn't document the email that it sends, so this is the stored body.",
    `Its HTML has ${formatEnglishCount(sent.bytes, 'byte')}; Gmail cuts at 102 KB.`,
    note,
  ];
  return createDone(sentences, { text, isEmailText: true, offset });
}
