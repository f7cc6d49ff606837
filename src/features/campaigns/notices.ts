import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isEditorEmail } from '../../email/sent/visualEditor.ts';
import { getComposingProfile, toServiceRef } from '../../platform/connections/model.ts';
import type { ExtensionServices } from '../services.ts';
import { showInfo, showWarning } from '../../ui/messages.ts';
import type { Campaign } from '../../service/client/index.ts';
import { campaignDocuments } from './documents.ts';
import { collection } from './model.ts';
import { countVersions } from './plan.ts';
import { describeVersions } from './wording.ts';

/** Warns that an update turned a scheduled or automatic campaign into a draft. */
export async function showDraftWarning(connection: string, { id, name }: Campaign): Promise<void> {
  const send = t('Send…');
  const choice = await showWarning(
    t`"${name ?? id}" was saved and is a draft again, because services stop campaigns that change. Send it to restart it.`,
    send,
  );
  if (choice === send) await vscode.commands.executeCommand('mailing.campaign.send', { connection, id });
}

/** What users should know about the site before they save a campaign. */
export class CampaignNotices implements vscode.CodeLensProvider {
  readonly #services: Pick<ExtensionServices, 'connections' | 'documents'>;
  /** Numbers of versions, counted once for each open document. */
  readonly #counts = new WeakMap<vscode.TextDocument, Promise<number>>();
  #hasNotedEditor = false;

  constructor(services: Pick<ExtensionServices, 'connections' | 'documents'>) {
    this.#services = services;
  }

  /** Shows above a document how many versions the email has. Opens the site. */
  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { connection, campaign } = (await this.#read(document.uri)) ?? {};
    if (!connection || !campaign || campaignDocuments.getReadOnlyReason(campaign) !== undefined) return [];
    const counting =
      this.#counts.get(document) ??
      this.#services.connections
        .run(toServiceRef(connection), (client) => countVersions(client, campaign.id))
        .catch(() => 0);
    this.#counts.set(document, counting);
    const title = describeVersions(campaign, await counting);
    if (title === undefined) return [];
    const command = { title, command: 'vscode.open', arguments: [vscode.Uri.parse(connection.baseUrl)] };
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
  }

  /** Tells once in a session, when a campaign is saved, what the site's visual editor needs to open it again. */
  async noteSave(uri: vscode.Uri): Promise<void> {
    if (this.#hasNotedEditor) return;
    const { connection, campaign } = (await this.#read(uri)) ?? {};
    if (getComposingProfile(connection) !== 'acymailing' || !isEditorEmail(campaign?.body ?? '')) return;
    this.#hasNotedEditor = true;
    void showInfo(
      t`The site's visual editor opens this campaign again only while its body has the element with the ID "${'acym__wysid__template'}".`,
    );
  }

  /** Returns the campaign of a document as last read. Opening the document reports errors. */
  async #read(uri: vscode.Uri) {
    const { connections, documents } = this.#services;
    const address = documents.find(uri);
    const connection = address && connections.get(address.connection);
    if (!connection || address.kind.collection !== collection) return undefined;
    const record = await documents.getRecord(collection, address);
    const campaign: Campaign | undefined = await record.read({ freshness: 'any' }).catch(() => undefined);
    return { connection, campaign };
  }
}
