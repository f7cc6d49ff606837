import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Campaign } from '../../service/client/index.ts';
import type { ExtensionServices } from '../services.ts';
import { once } from '../../ui/async.ts';
import { registerCommands } from '../../ui/commands.ts';
import { registerForm } from '../../platform/documents/form/register.ts';
import { createLazyKind } from '../../platform/documents/lazyKind.ts';
import { campaignKind, collection, campaignFormEditor, campaignSuffixes } from './model.ts';

const load = () => import('./handlers.ts');

export function register(services: ExtensionServices): void {
  const { context, documents, explorer, records, references } = services;
  explorer.register(async () => {
    const [{ createCampaignTree }, sends] = await Promise.all([load(), services.getCampaignSender()]);
    return createCampaignTree((ref) => sends.isTracked(ref));
  });
  const kind = { ...campaignKind, suffixes: Object.values(campaignSuffixes) };
  documents.register(createLazyKind(kind, async () => (await load()).campaignDocuments));
  records.push({
    collection,
    heading: t('Campaigns'),
    codicon: 'megaphone',
    load: async () => (await load()).createOperations(services),
  });
  references.push(async (...asked) => (await load()).findCampaignReferences(...asked));
  context.subscriptions.push(
    documents.onDidSave(({ address, before }) => {
      if (address.kind.collection !== collection) return;
      // Services turn a campaign that was scheduled or running into a draft.
      const { active, draft }: Campaign = before;
      if (active === 1 && draft === 0)
        void load().then(({ showDraftWarning }) => showDraftWarning(address.connection, before));
    }),
    registerForm(documents, campaignFormEditor, async () => {
      const { CampaignFormSession } = await load();
      return (document, panel) => new CampaignFormSession(document, panel, services);
    }),
    ...registerListNames(services),
    ...registerNotices(services),
    ...registerCommands(
      services,
      [
        'mailing.campaign.openBody',
        'mailing.campaign.create',
        'mailing.campaign.send',
        'mailing.campaign.sendAgain',
        'mailing.campaign.unschedule',
      ],
      async () => (await load()).createHandlers(services),
    ),
  );
}

function registerNotices(services: ExtensionServices) {
  const getNotices = once(async () => new (await load()).CampaignNotices(services));
  return [
    vscode.languages.registerCodeLensProvider(
      { scheme: 'mailing', pattern: `**/${collection}/*/*` },
      { provideCodeLenses: async (document) => (await getNotices()).provideCodeLenses(document) },
    ),
    vscode.workspace.onWillSaveTextDocument((event) => {
      const { uri } = event.document;
      if (services.documents.find(uri)?.kind.collection !== collection) return;
      event.waitUntil(getNotices().then((notices) => notices.noteSave(uri)));
    }),
  ];
}

function registerListNames(services: ExtensionServices) {
  const getProvider = once(async () => new (await load()).ListNameProvider(services));
  const selector = { scheme: 'mailing', pattern: `**/*${campaignSuffixes.details}` };
  return [
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, position, token) =>
          (await getProvider()).provideCompletionItems(document, position, token),
      },
      '[',
      ',',
      ' ',
    ),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (...request) => (await getProvider()).provideHover(...request),
    }),
  ];
}
