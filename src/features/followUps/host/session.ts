import * as vscode from 'vscode';
import type { FieldProblem } from '../../../platform/webview/form/protocol.ts';
import type { FollowUpFormCommand, MailCard, FollowUpToPage } from '../protocol.ts';
import { FormSession, type FormServices } from '../../../platform/documents/form/session.ts';
import type { Values } from '../../../platform/documents/form/text.ts';
import { formatTimestamp, joinParts } from '../../../platform/ui/format.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';
import { createListChoices } from '../../lists/model.ts';
import { getMailFieldName, type FollowUpRecord } from '../documents.ts';
import { collection, followUpDetailFields } from '../model.ts';
import { isEditable, hasMailText, READ_ONLY_REASON } from '../refusals.ts';
import type { Storage } from '../storage.ts';
import { triggerLabels } from '../triggers.ts';
import { findFollowUpRefusalPath, findFollowUpProblems } from './problems.ts';

const commandIds: Readonly<Record<FollowUpFormCommand, string>> = {
  attachMail: 'mailing.followUp.attachMail',
  editMail: 'mailing.followUp.editMail',
  deleteMail: 'mailing.followUp.deleteMail',
  duplicate: 'mailing.record.duplicate',
};

const followUpFormKind = {
  collection,
  noun: 'follow-up',
  page: 'followUpForm',
  title: 'Follow-up Form',
  fieldOrder: followUpDetailFields,
  toListChoices: createListChoices,
};

/** An open form of a follow-up. */
export class FollowUpFormSession extends FormSession<FollowUpToPage> {
  readonly #storage: Storage;
  #mails: Extract<FollowUpToPage, { type: 'mails' }> | undefined;

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, services: FormServices, storage: Storage) {
    super(followUpFormKind, document, panel, services);
    this.#storage = storage;
  }

  protected override sendExtras(): void {
    const profile = (this.record && this.services.connections.get(this.record.connection)?.profile) ?? 'documented';
    const triggers = Object.entries(triggerLabels[profile]).map(([value, meaning]) => ({
      value,
      label: meaning.charAt(0).toUpperCase() + meaning.slice(1),
    }));
    const readOnlyReason = this.record === undefined || isEditable('active', profile) ? undefined : READ_ONLY_REASON;
    this.post({ type: 'options', isRecord: this.record !== undefined, options: { triggers, readOnlyReason } });
    if (this.#mails) this.post(this.#mails);
  }

  protected override async findProblems(details: Values): Promise<readonly FieldProblem[]> {
    return findFollowUpProblems(details);
  }

  protected override findRefusalPath(message: string): FieldProblem['path'] {
    return findFollowUpRefusalPath(message);
  }

  protected override async run(command: string, mailId: number | undefined): Promise<void> {
    if (!Object.hasOwn(commandIds, command)) return;
    const target = this.record === undefined ? this.uri : { ...this.record, collection, mailId };
    await vscode.commands.executeCommand(commandIds[command as FollowUpFormCommand], target);
    if (mailId !== undefined || command === 'attachMail') await this.refreshExtras();
  }

  /** Sends the mails to the page. If reading fails, the form works without them: their delays are in the text. */
  protected override async refreshExtras(): Promise<void> {
    const { record } = this;
    if (record === undefined) return;
    const { connection, id } = record;
    const [followUp, sentMails] = await Promise.all([
      this.services.connections.run(connection, (client) => this.#storage.read(client, id, { connection })),
      this.#storage.readSentMails(connection, id),
    ]).catch(() => [undefined, undefined] as const);
    if (followUp === undefined) return;
    const isActive = followUp.active === 1;
    const lastTriggered = formatTimestamp(followUp.last_trigger);
    this.#mails = {
      type: 'mails',
      mails: followUp.mails.map(({ mail_id }) => createMailCard(followUp, mail_id, sentMails.get(mail_id)?.sent)),
      isActive,
      statusText: joinParts([
        isActive ? 'Active' : 'Inactive',
        lastTriggered !== undefined && `last triggered ${lastTriggered}`,
      ]),
    };
    this.post(this.#mails);
  }
}

function createMailCard(record: FollowUpRecord, mailId: number, sentTime: number | undefined): MailCard {
  const getLine = (field: string): string =>
    toSingleLine(String(record.view.values[getMailFieldName(mailId, field)] ?? ''));
  if (!hasMailText(record, mailId)) return { id: mailId, name: `Mail #${mailId}` };
  return {
    id: mailId,
    name: getLine('name') || `Mail #${mailId}`,
    subject: getLine('subject'),
    sentText: `sent by this machine ${formatTimestamp((sentTime ?? 0) / 1000) ?? ''}`.trim(),
  };
}
