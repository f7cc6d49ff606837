import * as vscode from 'vscode';
import { profiles } from '../../../service/client/profiles.ts';
import type { FieldProblem, CampaignFormCommand, CampaignToPage, TagsToPage } from '../protocol.ts';
import { FormSession, type FormServices } from '../../../platform/documents/form/session.ts';
import type { FieldChange, Values } from '../../../platform/documents/form/text.ts';
import { LiveDocument } from '../../../platform/preview/host/liveEmail.ts';
import { createListChoices } from '../../lists/model.ts';
import { campaignDocuments } from '../documents.ts';
import { validateCampaignDetails } from '../detailsSchema.ts';
import { campaignDetailFields, campaignSuffixes } from '../model.ts';
import {
  DependentFields,
  findCampaignRefusalPath,
  findCampaignWarnings,
  findSubjectProblems,
  getChosenListIds,
  readFormTags,
  toFieldErrors,
} from './fields.ts';
import { CampaignMonitor } from './campaignMonitor.ts';

const BODY_DEBOUNCE_MS = 400;
/** The inbox line needs only the beginning of the body. */
const MAX_BODY_CHARS = 200_000;

const campaignCommandIds: Readonly<Record<CampaignFormCommand, string>> = {
  openBody: 'mailing.campaign.openBody',
  preview: 'mailing.preview',
  sendTest: 'mailing.sendTest',
  send: 'mailing.campaign.send',
  duplicate: 'mailing.record.duplicate',
};

const campaignFormKind = {
  collection: campaignDocuments.collection,
  noun: campaignDocuments.noun,
  page: 'campaignForm',
  title: 'Campaign Form',
  fieldOrder: campaignDetailFields,
  toListChoices: createListChoices,
};

/** An open campaign form, with its audience, its status and the beginning of its body. */
export class CampaignFormSession extends FormSession<CampaignToPage> {
  readonly #monitor: CampaignMonitor | undefined;
  readonly #body: LiveDocument | undefined;
  readonly #dependentFields = new DependentFields();
  #bodyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, services: FormServices) {
    super(campaignFormKind, document, panel, services);
    if (this.record === undefined) return;
    this.#monitor = new CampaignMonitor(services.connections, this.record, (message) => {
      this.post(message);
      // Counting reads subscribers, which reveals their custom fields.
      if (message.type === 'audience' && message.audience.kind === 'counted') this.#postTags();
    });
    this.#body = this.#watchBody();
    this.subscriptions.push(this.#monitor, this.#body, new vscode.Disposable(() => clearTimeout(this.#bodyTimer)));
  }

  override start(): void {
    super.start();
    void this.#body?.open();
  }

  protected override sendExtras(): void {
    if (this.#monitor === undefined) this.post({ type: 'status', isRecord: false });
    const profile = this.record && this.services.connections.get(this.record.connection)?.profile;
    this.post({ type: 'zones', isStartUtc: profile !== undefined && profiles[profile].startDate === 'timestamp' });
    this.#postTags();
    this.#monitor?.postAll();
    this.#postBody();
  }

  protected override async findProblems(details: Values): Promise<readonly FieldProblem[]> {
    const tags = findSubjectProblems(details['subject'], this.#tags);
    return [
      ...toFieldErrors(validateCampaignDetails(details)),
      ...findCampaignWarnings(details, formatToday()),
      ...tags,
    ];
  }

  protected override findRefusalPath(message: string, details: Values): FieldProblem['path'] {
    return findCampaignRefusalPath(message, details);
  }

  protected override getChanges(details: Values, change: FieldChange): readonly FieldChange[] {
    return this.#dependentFields.expandChange(details, change);
  }

  protected override handleDetails(details: Values): void {
    this.#monitor?.scheduleCount(getChosenListIds(details) ?? []);
  }

  protected override async run(command: string): Promise<void> {
    if (!Object.hasOwn(campaignCommandIds, command)) return;
    const { collection } = campaignFormKind;
    const target = this.record === undefined ? this.uri : { ...this.record, collection };
    await vscode.commands.executeCommand(campaignCommandIds[command as CampaignFormCommand], target);
    if (command === 'send') await this.refreshExtras();
  }

  protected override async refreshExtras(): Promise<void> {
    await this.#monitor?.readStatus();
  }

  protected override retry(): void {
    super.retry();
    const { details } = this;
    if (details !== undefined) this.#monitor?.scheduleCount(getChosenListIds(details) ?? [], true);
  }

  #watchBody(): LiveDocument {
    const schedulePost = (): void => {
      clearTimeout(this.#bodyTimer);
      this.#bodyTimer = setTimeout(() => this.#postBody(), BODY_DEBOUNCE_MS);
    };
    // If the body can't be read, the form works without a snippet in the inbox line.
    return new LiveDocument(this.services.documents.getSiblingUri(this.uri, campaignSuffixes.body), schedulePost);
  }

  get #tags(): TagsToPage {
    return readFormTags(this.services.connections, this.record?.connection);
  }

  #postTags(): void {
    this.post(this.#tags);
  }

  #postBody(): void {
    if (this.#body?.hasBeenRead) this.post({ type: 'body', html: this.#body.text.slice(0, MAX_BODY_CHARS) });
  }
}

/** Returns the user's local date as `YYYY-MM-DD`. */
function formatToday(): string {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
