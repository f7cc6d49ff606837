import * as vscode from 'vscode';
import { register as registerAgents } from './agents/index.ts';
import { register as registerCampaigns } from './campaigns/index.ts';
import { register as registerConnections } from './connections/index.ts';
import { Documents } from './documents/documents.ts';
import { register as registerExplorer } from './explorer/index.ts';
import { register as registerFollowUps } from './followUps/index.ts';
import { register as registerLanguage } from './language/index.ts';
import { register as registerLists } from './lists/index.ts';
import { register as registerPreviews } from './preview/index.ts';
import type { Compose } from './preview/host/sentMail.ts';
import type { ExtensionServices } from './services.ts';
import { register as registerSending } from './sending/index.ts';
import { register as registerStatistics } from './statistics/index.ts';
import { register as registerSubscriptions } from './subscriptions/index.ts';
import { register as registerTemplates } from './templates/index.ts';
import { Recent } from './ui/recent.ts';
import { Use } from './ui/use.ts';
import { register as registerWorker } from './worker/index.ts';

/** Wires the rooms together. Nothing here waits for a service or loads what is not needed to start. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Mailing Studio', { log: true });
  const use = new Use();
  const host = { log, use };
  const worker = registerWorker(context, log);
  const compose: Compose = async (email, options) =>
    (await worker()).run('compose', { email, options }, { about: email.subject });
  const connections = registerConnections(context, host, compose);
  const documents = new Documents(context, connections);
  const explorer = registerExplorer(context, host, connections);
  const previews = registerPreviews(context, host, connections, compose);
  const recent = new Recent(context.workspaceState);
  const sending = registerSending({ ...host, context, connections, explorer, previews, recent });
  const services: ExtensionServices = {
    ...host,
    context,
    connections,
    documents,
    explorer,
    previews,
    recent,
    worker,
    ...sending,
  };
  const saved = documents.onDidSave(({ address, record }) => {
    explorer.take({ connection: address.connection, collection: address.kind.collection }, record);
  });
  context.subscriptions.push(
    saved,
    log,
    use,
    documents,
    vscode.commands.registerCommand('mailing.showLog', () => log.show()),
  );

  const nouns = [
    registerLists,
    registerSubscriptions,
    registerTemplates,
    registerFollowUps,
    registerCampaigns,
    registerStatistics,
  ];
  for (const register of nouns) register(services);

  registerLanguage(services);
  registerAgents(services);

  if (process.env.MAILING_STUDIO_DEMO === '1') void import('./demo.ts').then(({ showDemo }) => showDemo());
}
