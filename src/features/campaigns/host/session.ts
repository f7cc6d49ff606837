import * as vscode from 'vscode';
import { profiles } from '../../../service/client/profiles.ts';
import type { FieldProblem, FormCommand, OwnToPage, TagsToPage } from '../protocol.ts';
import { FormSession, type FormServices } from '../../../platform/documents/form/session.ts';
import type { FieldChange, Values } from '../../../platform/documents/form/text.ts';
import { LiveDocument } from '../../../platform/preview/host/liveDocument.ts';
import { formChoices } from '../../lists/model.ts';
import { campaignDocuments } from '../documents.ts';
import { validate } from '../detailsSchema.ts';
import { detailFields, suffixes } from '../model.ts';
import { Choices, chosenLists } from './choices.ts';
import { errorsOf, pathOfRefusal, warningsOf } from './problems.ts';
import { FormService } from './service.ts';
import { subjectProblems, tagsOf } from './tags.ts';

/** How long the body must rest before the inbox line is told of it, in ms. */
const bodyPause = 400;
/** Of the body, what is looked at for the words an inbox shows: characters. */
const bodyLength = 200_000;

const commands: Readonly<Record<FormCommand, string>> = {
  openBody: 'mailing.campaign.openBody',
  preview: 'mailing.campaign.preview',
  sendTest: 'mailing.sendTest',
  send: 'mailing.campaign.send',
  openAsText: 'mailing.campaign.openAsText',
  duplicate: 'mailing.campaign.duplicate',
};

const kind = {
  collection: campaignDocuments.collection,
  noun: campaignDocuments.noun,
  page: 'campaignForm',
  title: 'Campaign Form',
  fieldOrder: detailFields,
  toListChoices: formChoices,
};

/** An open form of a campaign, with its audience, what it waits for, and the words of its body. */
export class CampaignFormSession extends FormSession<OwnToPage> {
  readonly #service: FormService | undefined;
  readonly #body: LiveDocument | undefined;
  readonly #choices = new Choices();
  #bodyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, services: FormServices) {
    super(kind, document, panel, services);
    if (this.record === undefined) return;
    this.#service = new FormService(services.connections, this.record, {
      audience: (audience) => {
        this.post({ type: 'audience', audience });
        // Counting reads subscribers, and so shows which fields they have.
        if (audience.kind === 'counted') this.#tellTags();
      },
      standing: (standing) => this.post({ type: 'standing', isRecord: true, standing }),
    });
    this.#body = this.#followBody();
    this.subscriptions.push(this.#service, this.#body, new vscode.Disposable(() => clearTimeout(this.#bodyTimer)));
  }

  override start(): void {
    super.start();
    void this.#body?.open();
  }

  protected override sendExtras(): void {
    this.post({ type: 'standing', isRecord: this.#service !== undefined });
    const profile = this.record && this.services.connections.get(this.record.connection)?.profile;
    this.post({ type: 'zones', isStartUtc: profile !== undefined && profiles[profile].startDate === 'timestamp' });
    this.#tellTags();
    this.#service?.tell();
    this.#tellBody();
  }

  protected override async findProblems(details: Values): Promise<readonly FieldProblem[]> {
    const tags = subjectProblems(details['subject'], this.#tags);
    return [...errorsOf(validate(details)), ...warningsOf(details, today()), ...tags];
  }

  protected override findRefusalPath(message: string, details: Values): FieldProblem['path'] {
    return pathOfRefusal(message, details);
  }

  protected override getChanges(details: Values, change: FieldChange): readonly FieldChange[] {
    return this.#choices.changes(details, change);
  }

  protected override handleDetails(details: Values): void {
    this.#service?.count(chosenLists(details) ?? []);
  }

  protected override async run(command: string): Promise<void> {
    if (!Object.hasOwn(commands, command)) return;
    // What is not of campaigns alone has to know of which noun it is.
    const isOfDocument = command === 'openAsText' || command === 'sendTest';
    await vscode.commands.executeCommand(
      commands[command as FormCommand],
      isOfDocument ? this.uri : (this.record ?? this.uri),
    );
    if (command === 'send') await this.refreshExtras();
  }

  protected override async refreshExtras(): Promise<void> {
    await this.#service?.readStanding();
  }

  protected override retry(): void {
    super.retry();
    const { details } = this;
    if (details !== undefined) this.#service?.count(chosenLists(details) ?? [], true);
  }

  #followBody(): LiveDocument {
    const later = (): void => {
      clearTimeout(this.#bodyTimer);
      this.#bodyTimer = setTimeout(() => this.#tellBody(), bodyPause);
    };
    // Without its body a form does all the same: the inbox line has no words of it then.
    return new LiveDocument(this.services.documents.getSiblingUri(this.uri, suffixes.body), {
      onChange: later,
      onReplace: later,
      onFailure: () => undefined,
    });
  }

  get #tags(): TagsToPage {
    return tagsOf(this.services.connections, this.record?.connection);
  }

  #tellTags(): void {
    this.post(this.#tags);
  }

  #tellBody(): void {
    if (this.#body?.hasBeenRead) this.post({ type: 'body', html: this.#body.text.slice(0, bodyLength) });
  }
}

/** The user's day, as `YYYY-MM-DD`. */
function today(): string {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
