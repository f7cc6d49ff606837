import * as vscode from 'vscode';
import type { FieldProblem } from '../../../platform/webview/form/protocol.ts';
import type { FormCommand, MailCard, OwnToPage } from '../protocol.ts';
import { FormSession, type FormServices } from '../../../platform/documents/form/session.ts';
import type { Values } from '../../../platform/documents/form/text.ts';
import { formatTimestamp, joinParts } from '../../../platform/ui/format.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';
import { formChoices } from '../../lists/model.ts';
import { mailField, type FollowUpRecord } from '../documents.ts';
import { collection, detailFields } from '../model.ts';
import { isEditable, isTextKnown, shownOnlyReason } from '../refusals.ts';
import type { Storage } from '../storage.ts';
import { triggersOf } from '../triggers.ts';
import { pathOfRefusal, problemsOf } from './problems.ts';

const commands: Readonly<Record<FormCommand, string>> = {
  attachMail: 'mailing.followUp.attachMail',
  editMail: 'mailing.followUp.editMail',
  deleteMail: 'mailing.followUp.deleteMail',
  openAsText: 'mailing.followUp.openAsText',
  duplicate: 'mailing.followUp.duplicate',
};

const kind = {
  collection,
  noun: 'follow-up',
  page: 'followUpForm',
  title: 'Follow-up Form',
  fieldOrder: detailFields,
  toListChoices: formChoices,
};

/** An open form of a follow-up, with its mails as far as this machine knows them. */
export class FollowUpFormSession extends FormSession<OwnToPage> {
  readonly #storage: Storage;
  #mails: Extract<OwnToPage, { type: 'mails' }> | undefined;

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, services: FormServices, storage: Storage) {
    super(kind, document, panel, services);
    this.#storage = storage;
  }

  protected override sendExtras(): void {
    const profile = (this.record && this.services.connections.get(this.record.connection)?.profile) ?? 'documented';
    const triggers = Object.entries(triggersOf[profile]).map(([value, words]) => ({
      value,
      label: words.charAt(0).toUpperCase() + words.slice(1),
    }));
    const fixed = this.record === undefined || isEditable('active', profile) ? undefined : shownOnlyReason;
    this.post({ type: 'terms', isRecord: this.record !== undefined, terms: { triggers, fixed } });
    if (this.#mails) this.post(this.#mails);
  }

  protected override async findProblems(details: Values): Promise<readonly FieldProblem[]> {
    return problemsOf(details);
  }

  protected override findRefusalPath(message: string): FieldProblem['path'] {
    return pathOfRefusal(message);
  }

  protected override async run(command: string, mailId: number | undefined): Promise<void> {
    if (!Object.hasOwn(commands, command)) return;
    const target = command === 'openAsText' || this.record === undefined ? this.uri : { ...this.record, mailId };
    await vscode.commands.executeCommand(commands[command as FormCommand], target);
    if (mailId !== undefined || command === 'attachMail') await this.refreshExtras();
  }

  /** Where the mails can't be read, the form does without: their delays are in the text. */
  protected override async refreshExtras(): Promise<void> {
    const { record } = this;
    if (record === undefined) return;
    const { connection, id } = record;
    const [followUp, kept] = await Promise.all([
      this.services.connections.run(connection, (client) => this.#storage.read(client, id, { connection })),
      this.#storage.kept(connection, id),
    ]).catch(() => [undefined, undefined] as const);
    if (followUp === undefined) return;
    const isActive = followUp.active === 1;
    const last = formatTimestamp(followUp.last_trigger);
    this.#mails = {
      type: 'mails',
      mails: followUp.mails.map(({ mail_id }) => cardOf(followUp, mail_id, kept.get(mail_id)?.sent)),
      isActive,
      words: joinParts([isActive ? 'Active' : 'Inactive', last !== undefined && `last triggered ${last}`]),
    };
    this.post(this.#mails);
  }
}

function cardOf(record: FollowUpRecord, mailId: number, sent: number | undefined): MailCard {
  const text = (field: string): string => toSingleLine(String(record.view.values[mailField(mailId, field)] ?? ''));
  if (!isTextKnown(record, mailId)) return { id: mailId, name: `Mail #${mailId}` };
  return {
    id: mailId,
    name: text('name') || `Mail #${mailId}`,
    subject: text('subject'),
    sent: `sent by this machine ${formatTimestamp((sent ?? 0) / 1000) ?? ''}`.trim(),
  };
}
