import * as vscode from 'vscode';
import { getComposingProfile } from '../../platform/connections/model.ts';
import { getCheckOptions } from '../../platform/language/checks/checkOptions.ts';
import { readTagLanguage, createRendering, renderTags, samplePeople } from '../../email/tags/index.ts';
import { formatAmount, formatCount } from '../../platform/ui/format.ts';
import { mailKinds, resolveMail, describeUnsaved } from './mail.ts';
import { createNotDone, type ToolResult, type Call, type Tools } from './tool.ts';

const MAX_FINDINGS = 100;

const NO_EMAIL_RESULT = createNotDone('Name an email by "id", or give a "body".');

export const readingTools: Pick<Tools, 'mailing_readTemplate' | 'mailing_checkEmail' | 'mailing_renderEmail'> = {
  mailing_readTemplate: { progressMessage: 'Reading a template', run: readTemplate },
  mailing_checkEmail: { progressMessage: 'Checking an email', run: checkEmail },
  mailing_renderEmail: { progressMessage: 'Rendering an email', run: renderEmail },
};

async function readTemplate({
  services,
  input,
  connection,
  signal,
}: Call<'mailing_readTemplate'>): Promise<ToolResult> {
  const { id, part = 'body', offset } = input;
  const mail = await mailKinds.template.read(services, connection, id, signal);
  const isUnsaved = mail.unsaved.includes(part);
  const notes = [
    `The ${part} of template ${id}, ${formatAmount(mail[part].length, 'character')}${mail[part] === '' ? ': it is empty.' : '.'}`,
    ...describeUnsaved(isUnsaved ? [part] : []),
    ...(mail.readOnly === undefined ? [] : ['It is read-only, because it was created with the drag-and-drop editor.']),
  ];
  return {
    outcome: 'done',
    message: notes.join(' '),
    data: { text: mail[part], isEmailText: true, ...(offset !== undefined && { offset }) },
  };
}

async function checkEmail({ services, input, connection, signal }: Call<'mailing_checkEmail'>): Promise<ToolResult> {
  if (input.id === undefined && input.body === undefined) return NO_EMAIL_RESULT;
  const { name: _, notes, ...email } = await resolveMail(services, connection, input, signal);
  const options = getCheckOptions(services.connections, getConnectionUri(connection.id));
  const { findings, bytes } = await (
    await services.worker()
  ).run('check', { email, options }, { signal, about: email.subject });
  const texts: Readonly<Record<string, string>> = { body: email.body, stylesheet: email.stylesheet };
  const lines = findings
    .slice(0, MAX_FINDINGS)
    .map(({ rule, severity, part, field, start, message, clients = [], fixes = [] }) =>
      JSON.stringify({
        severity,
        rule: Number(rule) || rule,
        part,
        ...(field === undefined ? { line: getLineNumber(texts[part] ?? '', start) } : { field }),
        message,
        ...(clients.length > 0 && { clients }),
        ...(fixes.length > 0 && { fixes: fixes.map(({ title }) => title) }),
      }),
    );
  const rest = findings.length - lines.length;
  return {
    outcome: 'done',
    message: [
      findings.length === 0 ? 'Nothing was found.' : `${formatAmount(findings.length, 'finding')}, one on each line.`,
      ...(rest > 0 ? [`The last ${formatCount(rest)} are left out.`] : []),
      ...(bytes === undefined ? [] : [`As it is sent it has ${formatAmount(bytes, 'byte')}; Gmail cuts at 102 KB.`]),
      ...notes,
    ].join(' '),
    ...(lines.length > 0 && { data: { text: lines.join('\n'), isEmailText: true } }),
  };
}

/** Returns the 1-based line of an offset. */
function getLineNumber(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

async function renderEmail({ services, input, connection, signal }: Call<'mailing_renderEmail'>): Promise<ToolResult> {
  if (input.id === undefined && input.body === undefined) return NO_EMAIL_RESULT;
  const { as = 'typical', part = 'html', offset } = input;
  const { name, notes, fromEmail: _, ...email } = await resolveMail(services, connection, input, signal);
  const { baseUrl: site, tags } = connection;
  const profile = getComposingProfile(connection);
  if (part === 'text' && profile !== 'acymailing')
    return createNotDone('Text parts aren’t available for this service.');
  const sent = await (
    await services.worker()
  ).run('compose', { email, options: { profile, site } }, { signal, about: email.subject });
  const language = readTagLanguage(tags);
  const rendering = createRendering(samplePeople.find(({ id }) => id === as)?.person ?? {}, {
    subject: email.subject,
    name,
  });
  const rendered = (text: string, where: 'body' | 'subject' | 'preheader'): string =>
    renderTags(text, language, { ...rendering, where }).text;
  const inbox = [
    `Subject: ${rendered(email.subject, 'subject')}`,
    `Preheader: ${rendered(email.preheader, 'preheader')}`,
  ];
  return {
    outcome: 'done',
    message: [
      `The ${part === 'html' ? 'HTML' : 'text part'} as it is sent, with its tags as a made-up person would get them (${as}).`,
      ...(profile === 'documented'
        ? ['This service doesn’t document the email that it sends, so this is the stored body.']
        : []),
      `Its HTML has ${formatAmount(sent.bytes, 'byte')}; Gmail cuts at 102 KB.`,
      ...notes,
    ].join(' '),
    data: {
      text: [...inbox, '', rendered(sent[part], 'body')].join('\n'),
      isEmailText: true,
      ...(offset !== undefined && { offset }),
    },
  };
}

function getConnectionUri(connection: string): vscode.Uri {
  return vscode.Uri.from({ scheme: 'mailing', authority: connection, path: '/' });
}
