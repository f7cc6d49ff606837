import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { register as registerAgents } from './features/agents/index.ts';
import { register as registerCampaigns } from './features/campaigns/index.ts';
import { register as registerOtherEmails } from './features/otherEmails/index.ts';
import { register as registerConnections } from './platform/connections/index.ts';
import { Documents } from './platform/documents/documents.ts';
import { register as registerExplorer } from './platform/explorer/index.ts';
import { register as registerFollowUps } from './features/followUps/index.ts';
import { register as registerLanguage } from './features/language/index.ts';
import { register as registerLists } from './features/lists/index.ts';
import { register as registerRecords } from './features/records/index.ts';
import type { RecordCollection } from './platform/documents/recordCollections.ts';
import { register as registerPreviews } from './features/preview/index.ts';
import type { Compose } from './features/preview/source.ts';
import type { ExtensionServices } from './features/services.ts';
import { register as registerSearch } from './features/search/index.ts';
import { register as registerSending } from './features/sending/index.ts';
import { register as registerSourceControl } from './features/sourceControl/index.ts';
import { register as registerStatistics } from './features/statistics/index.ts';
import { register as registerSubscriptions } from './features/subscriptions/index.ts';
import { register as registerTemplates } from './features/templates/index.ts';
import { register as registerParts } from './features/parts/index.ts';
import { RecentChoices } from './ui/recent.ts';
import { CommandActivity } from './ui/commands.ts';
import { setDisplayLanguage, type DisplayLanguage } from './l10n.ts';
import { register as registerWorker } from './platform/worker/index.ts';

/** Wires the layers together. Must not wait for a service or load anything that activation doesn't need. */
export function activate(context: vscode.ExtensionContext): void {
  setDisplayLanguage(readDisplayLanguage(context.asAbsolutePath('dist/l10n')));
  const log = vscode.window.createOutputChannel('Mailing Studio', { log: true });
  const activity = new CommandActivity();
  const host = { log, activity };
  const worker = registerWorker(context, log);
  const compose: Compose = async (email, options) =>
    (await worker()).run('compose', { email, options }, { about: email.subject });
  const connections = registerConnections(context, host, compose);
  const documents = new Documents(context, connections);
  const explorer = registerExplorer(context, host, connections);
  const previews = registerPreviews(context, host, connections, compose);
  const recent = new RecentChoices(context.workspaceState);
  const records: RecordCollection[] = [];
  const sending = registerSending({ ...host, context, connections, explorer, previews, recent, records });
  const services: ExtensionServices = {
    ...host,
    context,
    connections,
    documents,
    explorer,
    previews,
    recent,
    records,
    worker,
    ...sending,
  };
  const saved = documents.onDidSave(({ address, record }) => {
    explorer.updateRecord({ connection: address.connection, collection: address.kind.collection }, record);
  });
  context.subscriptions.push(
    saved,
    log,
    activity,
    documents,
    vscode.commands.registerCommand('mailing.showLog', () => log.show()),
  );

  const nouns = [
    registerLists,
    registerSubscriptions,
    registerTemplates,
    registerFollowUps,
    registerCampaigns,
    registerOtherEmails,
    registerStatistics,
  ];
  for (const register of nouns) register(services);
  registerRecords(context, services);
  registerSourceControl(services, async () =>
    (await import('./features/templates/templates.ts')).mappedTemplates(services),
  );

  registerSearch(services);
  registerLanguage(services);
  registerParts(services);
  registerAgents(services);

  if (process.env.MAILING_STUDIO_DEMO === '1')
    // Set by `npm start`.
    void vscode.commands.executeCommand('mailing.sandbox.start');
}

/** Reads the texts of VS Code's display language. Languages without texts are English. */
function readDisplayLanguage(folder: string): DisplayLanguage {
  const { language } = vscode.env;
  const read = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as readonly string[];
  if (!existsSync(join(folder, `${language}.json`))) return { language: 'en' };
  const texts = read(language);
  return { language, texts: Object.fromEntries(read('keys').map((key, index) => [key, texts[index] ?? ''])) };
}
