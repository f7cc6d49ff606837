import type { CheckResult, Email } from '../../email/checks/index.ts';
import { readEnvelope, readHeaders, readSettings } from '../../email/compose/compose.ts';
import { describeMissing } from '../../email/sent/visualEditor.ts';
import type { Email as SentEmail, Sent, SentOptions } from '../../email/sent/index.ts';
import { createRendering, renderTags, samplePeople, type TagLanguage } from '../../email/tags/index.ts';
import type { MailingClient } from '../../service/client/index.ts';
import { readNewestCampaigns } from '../../service/client/newestCampaigns.ts';
import type { Figure, Overview } from '../../service/statistics/model.ts';
import { createOverview } from '../../service/statistics/overview.ts';
import { readCampaignRows } from '../../service/statistics/rows.ts';
import type { EmailInput, Inputs } from './schemas.ts';
import { createDone, formatEnglishCount, formatRows, NotDoneError, type ToolResult } from './tool.ts';

const MAX_FOUND = 100;
const MAX_FINDINGS = 100;

/** The texts of an email by part, as the user last edited them. */
export interface MailTexts extends Readonly<Record<'name' | 'body' | 'stylesheet' | 'details', string>> {
  readonly isReadOnly: boolean;
  /** A sentence about edits that the service doesn't have. */
  readonly note: string | false;
}

/** What the tools that read need of a connection and of the program that runs them: the editor, or the command line. */
export interface ToolContext extends Pick<SentOptions, 'profile'> {
  readonly language: TagLanguage;
  readonly signal: AbortSignal;
  run<T>(operation: (client: MailingClient) => Promise<T>): Promise<T>;
  /** @throws `ApiError` */
  readMail(id: number, kind: NonNullable<EmailInput['kind']>): Promise<MailTexts>;
  check(email: Email): Promise<CheckResult>;
  compose(email: SentEmail): Promise<Sent>;
}

/** The tools that read. They never return personal data. All throw `ApiError`, or any other error to report as a failure. */
export const readingTools = {
  mailing_find: find,
  mailing_readTemplate: readTemplate,
  mailing_checkEmail: checkEmail,
  mailing_renderEmail: renderEmail,
  mailing_statistics: readStatistics,
};

/** The fields of records that a search returns. */
const FOUND_FIELDS =
  'id name display_name subject subscribers trigger sending_type sending_date draft sent active'.split(' ');

async function find(context: ToolContext, { what, search = '' }: Inputs['mailing_find']): Promise<ToolResult> {
  const { run, signal } = context;
  const name = search.trim() || undefined;
  const page = { limit: MAX_FOUND, filters: { name } };
  const searches: Readonly<Record<typeof what, (client: MailingClient) => Promise<readonly object[]>>> = {
    // `runTool` lists them, because they need no connection.
    connections: () => Promise.resolve([]),
    templates: (client) => client.getTemplates({ search: name, limit: MAX_FOUND }, { signal }),
    campaigns: (client) => readNewestCampaigns(client, name ?? '', signal),
    followUps: (client) => client.getFollowUps(page, { signal }),
    lists: (client) => client.getLists(page, { signal }),
  };
  return formatRows(await run(searches[what]), 'record', FOUND_FIELDS);
}

async function readStatistics(context: ToolContext, input: Inputs['mailing_statistics']) {
  const { signal } = context;
  const texts = await Promise.all(
    [...new Set(input.campaigns)].map(async (id) => {
      const rows = await context.run((client) =>
        readCampaignRows(client, id, signal, () => client.getCampaignStatistics(id, { signal })),
      );
      return [`Campaign ${id}`, ...formatOverview(createOverview(rows))].join('\n');
    }),
  );
  const message = 'Figures of each campaign, as reported by the service.';
  return createDone([message], { text: texts.join('\n\n'), isEmailText: false });
}

/** Leaves out unrecognized fields, which may contain anything. */
function formatOverview({ isUnsent, isUnopened, figures, sales, remarks }: Overview) {
  const line = ({ label, value, rate }: Figure) => `${label}: ${value}${rate ? ` (${rate.value} ${rate.of})` : ''}`;
  return [
    ...(isUnsent ? ['Nothing was sent yet.'] : isUnopened ? ['No opens yet.'] : []),
    ...[...figures, ...sales].map(line),
    ...remarks,
  ];
}

/** Returns the email of an input, as the `email` layer expects it. Texts in the input replace those of the stored email. @throws `ApiError` */
async function resolveMail(
  context: ToolContext,
  { id, kind = 'template', body, stylesheet, subject, preheader }: EmailInput,
) {
  if (id === undefined && body === undefined) throw new NotDoneError('Name an email by "id", or give a "body".');
  const stored = id === undefined ? undefined : await context.readMail(id, kind);
  const { name = '', details = '', note = false } = stored ?? {};
  const envelope = readEnvelope(details);
  return {
    name,
    email: {
      body: body ?? stored?.body ?? '',
      stylesheet: stylesheet ?? stored?.stylesheet ?? '',
      subject: subject ?? envelope.subject,
      preheader: preheader ?? envelope.preheader,
      headers: readHeaders(details),
      settings: readSettings(details),
    },
    fromEmail: stored && envelope.from_email,
    note,
  };
}

async function readTemplate(
  context: ToolContext,
  { id, part = 'body', offset }: Inputs['mailing_readTemplate'],
): Promise<ToolResult> {
  const mail = await context.readMail(id, 'template');
  const text = mail[part];
  const sentences = [
    `The ${part} of template ${id}, ${formatEnglishCount(text.length, 'character')}${text === '' ? ': it is empty.' : '.'}`,
    mail.note,
    mail.isReadOnly && 'It is read-only, because it was created with the drag-and-drop editor.',
  ];
  return createDone(sentences, { text, isEmailText: true, offset });
}

async function checkEmail(context: ToolContext, input: EmailInput) {
  const { email, fromEmail, note } = await resolveMail(context, input);
  const { findings, bytes } = await context.check({ ...email, fromEmail });
  const texts: Readonly<Record<string, string | undefined>> = email;
  const getLine = (part: string, at: number) => (texts[part] ?? '').slice(0, at).split('\n').length;
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

async function renderEmail(context: ToolContext, input: Inputs['mailing_renderEmail']) {
  const { as = 'typical', part = 'html', offset } = input;
  const { name, email, note } = await resolveMail(context, input);
  const { subject, preheader } = email;
  const { profile, language } = context;
  if (part === 'text' && profile !== 'acymailing')
    throw new NotDoneError("Text parts aren't available for this service.");
  const sent = await context.compose(email);
  const person = samplePeople().find(({ id }) => id === as)?.person ?? {};
  const rendering = createRendering(person, { subject, name });
  const render = (text: string, where: 'body' | 'subject' | 'preheader') =>
    renderTags(text, language, { ...rendering, where }).text;
  const inbox = [`Subject: ${render(subject, 'subject')}`, `Preheader: ${render(preheader, 'preheader')}`];
  const text = [...inbox, '', render(sent[part], 'body')].join('\n');
  const sentences = [
    `The ${part === 'html' ? 'HTML' : 'text part'} as it is sent, with its tags as a made-up person would get them (${as}).`,
    profile === 'documented' && "This service doesn't document the email that it sends, so this is the stored body.",
    describeMissing(sent.missing) ?? `Its HTML has ${formatEnglishCount(sent.bytes, 'byte')}; Gmail cuts at 102 KB.`,
    note,
  ];
  return createDone(sentences, { text, isEmailText: true, offset });
}
