import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { readStoredPreheader } from '../../../email/compose/compose.ts';
import type { Campaign } from '../../../service/client/index.ts';
import { profiles } from '../../../service/client/profiles.ts';
import type { RecordKey } from '../../../platform/connections/model.ts';
import { FormSession, type FormServices } from '../../../platform/documents/form/session.ts';
import type { FieldChange, Values } from '../../../platform/documents/form/text.ts';
import type { Details } from '../../../ui/page/form/protocol.ts';
import { LiveDocument } from '../../preview/liveEmail.ts';
import { Debouncer } from '../../../ui/async.ts';
import { errorText } from '../../../ui/errors.ts';
import { createListChoices } from '../../lists/model.ts';
import { campaignDetailsSchema, campaignDocuments } from '../documents.ts';
import { campaignDetailFields, getCampaignState } from '../details.ts';
import { campaignSuffixes } from '../model.ts';
import { countAudience, countVersions } from '../plan.ts';
import type { Audience, CampaignFormCommand, CampaignToPage, FieldProblem } from './protocol.ts';
import { describeCampaignState, describeVersions } from '../wording.ts';
import {
  DependentFields,
  findCampaignRefusalPath,
  findCampaignWarnings,
  findSubjectProblems,
  getChosenListIds,
  readFormTags,
} from './fields.ts';

const BODY_DEBOUNCE_MS = 400;
/** The inbox line needs only the beginning of the body. */
const MAX_BODY_CHARS = 200_000;
/** Limits the requests of an open form: each page of 500 subscribers is a request. */
const MAX_SUBSCRIBERS_COUNTED = 5000;
const COUNT_DEBOUNCE_MS = 400;

const commands: Readonly<Record<CampaignFormCommand, string>> = {
  openBody: 'mailing.campaign.openBody',
  preview: 'mailing.preview',
  sendTest: 'mailing.sendTest',
  send: 'mailing.campaign.send',
  showStatistics: 'mailing.campaign.showStatistics',
  duplicate: 'mailing.record.duplicate',
};

const campaignFormKind = {
  collection: campaignDocuments.collection,
  page: 'campaignForm',
  get title() {
    return t('Campaign Form');
  },
  fieldOrder: campaignDetailFields,
  schema: campaignDetailsSchema,
  findRefusalPath: findCampaignRefusalPath,
  commands,
  toListChoices: createListChoices,
};

/** An open campaign form, with the audience of the selected lists, the campaign's status and the beginning of its body. */
export class CampaignFormSession extends FormSession<CampaignToPage> {
  readonly #dependentFields = new DependentFields();
  readonly #body: LiveDocument | undefined;
  readonly #bodyDebouncer = new Debouncer(BODY_DEBOUNCE_MS);
  readonly #countDebouncer = new Debouncer(COUNT_DEBOUNCE_MS);
  #status: Extract<CampaignToPage, { type: 'status' }>;
  #audience: Audience = { kind: 'none' };
  /** The lists of the audience, as JSON. */
  #countedKey = '[]';
  #counting = new AbortController();
  #versions: Promise<number> | undefined;
  #versionCount = 0;

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, services: FormServices) {
    super(campaignFormKind, document, panel, services);
    this.#status = { type: 'status', isRecord: this.record !== undefined };
    if (this.record === undefined) return;
    // If the body can't be read, the form works without a snippet in the inbox line.
    this.#body = new LiveDocument(services.documents.getSiblingUri(this.uri, campaignSuffixes.body), () =>
      this.#bodyDebouncer.run(() => this.#postBody()),
    );
    this.subscriptions.push(
      this.#body,
      // Sending doesn't change the document.
      services.documents.onDidRead(({ address, record }) => {
        if (this.showsRecord(address)) this.#showStatus(record as Campaign);
      }),
      this.#bodyDebouncer,
      this.#countDebouncer,
      new vscode.Disposable(() => this.#counting.abort()),
    );
  }

  override start(): void {
    super.start();
    void this.#body?.open();
  }

  protected override sendExtras(): void {
    const { profile, baseUrl } = (this.record && this.services.connections.get(this.record.connection)) ?? {};
    const { startDate, takesSendingParams = false } = profile === undefined ? {} : profiles[profile];
    const site = takesSendingParams ? baseUrl : undefined;
    this.post({ type: 'zones', isStartUtc: startDate === 'timestamp', sendsAtOnce: profile === 'acymailing', site });
    this.post(this.#tags);
    this.post({ type: 'audience', audience: this.#audience });
    this.post(this.#status);
    this.#postBody();
  }

  protected override findWarnings(details: Values): readonly FieldProblem[] {
    return [...findCampaignWarnings(details, formatToday()), ...findSubjectProblems(details['subject'], this.#tags)];
  }

  protected override getChanges(details: Values, change: FieldChange): readonly FieldChange[] {
    return this.#dependentFields.expandChange(details, change);
  }

  /** Counts the audience of the selected lists after a debounce, and cancels a count in progress. */
  protected override handleDetails(details: Values, force = false): void {
    const listIds = getChosenListIds(details) ?? [];
    const key = JSON.stringify(listIds);
    if (this.record === undefined || (key === this.#countedKey && !force)) return;
    this.#countedKey = key;
    this.#countDebouncer.dispose();
    this.#counting.abort();
    if (listIds.length === 0) return this.#setAudience({ kind: 'none' });
    this.#setAudience({ kind: 'counting' });
    const { record } = this;
    const { signal } = (this.#counting = new AbortController());
    this.#countDebouncer.run(() => this.#count(record, listIds, signal));
  }

  /** Reads the status of the campaign. Ignores failures, because loading the lists reports them. */
  protected override async refreshExtras(): Promise<void> {
    if (this.record === undefined) return;
    const { record } = this;
    const reading = this.run(record, (client) => client.getCampaignById(record.id, { signal: this.closed }));
    this.#versions ??= this.run(record, (client) => countVersions(client, record.id)).catch(() => 0);
    const [campaign, count] = await Promise.all([reading.catch(() => undefined), this.#versions]);
    this.#versionCount = count;
    if (campaign !== undefined && !this.closed.aborted) this.#showStatus(campaign);
  }

  #showStatus(campaign: Campaign) {
    const status = { state: getCampaignState(campaign), label: describeCampaignState(campaign) };
    const siteParams = campaign.siteParams as Details | undefined;
    const versions = describeVersions(campaign, this.#versionCount);
    const preheader = readStoredPreheader(campaign);
    this.#status = { type: 'status', isRecord: true, status, preheader, siteParams, versions };
    this.post(this.#status);
  }

  async #count(record: RecordKey, listIds: readonly number[], signal: AbortSignal) {
    try {
      const { count, exact } = await this.run(record, (client) =>
        countAudience(client, listIds, { limit: MAX_SUBSCRIBERS_COUNTED, signal }),
      );
      if (signal.aborted) return;
      this.#setAudience({ kind: 'counted', count, exact });
      // Counting reads subscribers, which reveals their custom fields.
      this.post(this.#tags);
    } catch (error) {
      if (!signal.aborted) this.#setAudience({ kind: 'failed', message: errorText(error) });
    }
  }

  #setAudience(audience: Audience) {
    this.#audience = audience;
    this.post({ type: 'audience', audience });
  }

  get #tags() {
    return readFormTags(this.services.connections, this.record?.connection);
  }

  #postBody() {
    const html = this.#body?.text;
    if (html !== undefined) this.post({ type: 'body', html: html.slice(0, MAX_BODY_CHARS) });
  }
}

/** Returns the user's local date as `YYYY-MM-DD`. */
function formatToday() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
