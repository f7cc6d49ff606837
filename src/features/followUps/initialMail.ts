import * as vscode from 'vscode';
import { composeCampaignBody } from '../../email/compose/compose.ts';
import { t } from '../../l10n.ts';
import { templateDetailFields } from '../../sync/fields/templateFields.ts';
import { templatePicking } from '../templates/model.ts';
import { promptForHtmlFile, getFileName, toHtmlSource } from '../../ui/export/htmlFile.ts';
import { escapeMessage } from '../../service/text.ts';
import { readCurrentMessage } from '../sending/testSend/testMessage.ts';
import type { FollowUps } from './followUps.ts';
import type { MailText } from './record.ts';

type InitialMail = Partial<MailText>;

type MailSource = vscode.QuickPickItem & { load(): Promise<InitialMail | undefined> };

/** Prompts for the initial text of a mail: a template, an open HTML editor, a local file, or nothing. Undefined if canceled. */
export async function pickInitialMail(
  followUps: FollowUps,
  connection: string,
  title: string,
): Promise<InitialMail | undefined> {
  const sources: MailSource[] = [
    {
      label: `$(file-code) ${t('From a template…')}`,
      description: t('Body, stylesheet, subject and sender'),
      load: () => loadTemplate(followUps, connection, title),
    },
    ...listOpenEditors(followUps),
    {
      label: `$(folder-opened) ${t('From an HTML file…')}`,
      description: t('A local file as the body'),
      load: () => promptForHtmlFile(title),
    },
    { label: `$(file) ${t('From scratch')}`, description: t('An empty body'), load: async () => ({}) },
  ];
  const source = await vscode.window.showQuickPick(sources, {
    title,
    placeHolder: t('Select what to start from'),
    matchOnDescription: true,
  });
  return source?.load();
}

async function loadTemplate(followUps: FollowUps, connection: string, title: string): Promise<InitialMail | undefined> {
  const ref = await followUps.targets.pickRecord({ connection }, { ...templatePicking, title });
  if (!ref) return undefined;
  const template = await followUps.run(ref, (client) => client.getOneTemplate(ref.id));
  const texts = templateDetailFields
    .map((field) => [field, template[field]])
    .filter(([, value]) => value !== null && value !== '');
  return {
    ...Object.fromEntries(texts),
    body: composeCampaignBody({ body: template.body ?? '', stylesheet: template.stylesheet ?? '' }),
  };
}

/** Returns the HTML documents in tabs, the active one first. */
function listOpenEditors(followUps: FollowUps): MailSource[] {
  const tabUris = new Set(
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.toString()] : [])),
  );
  const activeDocument = vscode.window.activeTextEditor?.document;
  const documents = vscode.workspace.textDocuments.filter(
    (document) => document.languageId === 'html' && tabUris.has(document.uri.toString()),
  );
  return documents
    .toSorted((one, other) => Number(other === activeDocument) - Number(one === activeDocument))
    .map((document) => ({
      label: `$(edit) ${t`From the editor "${escapeMessage(getFileName(document.uri))}"`}`,
      description: document === activeDocument ? t('Active editor') : '',
      load: () => loadDocument(followUps, document),
    }));
}

/** Returns a record's content as in its preview, or a file's text. */
async function loadDocument(
  { services: { documents } }: FollowUps,
  document: vscode.TextDocument,
): Promise<InitialMail> {
  const address = documents.find(document.uri);
  const suffixes = address?.kind.parts.map(({ suffix }) => suffix) ?? [];
  const details = suffixes.find((suffix) => suffix.endsWith('.json'));
  if (!address || details === undefined || !suffixes.includes('.html')) return toHtmlSource(document);
  const parts = { body: '.html', details, stylesheet: suffixes.includes('.css') ? '.css' : undefined };
  const { name, envelope, body } = await readCurrentMessage(documents, address.kind.collection, parts, address);
  const { preheader: _, ...texts } = envelope;
  return { name, ...texts, body };
}
