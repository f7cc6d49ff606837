import type * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import type { FieldProblem } from '../../ui/page/form/protocol.ts';
import type { FollowUpFormCommand, FollowUpToPage } from './protocol.ts';
import { FormSession } from '../../platform/documents/form/session.ts';
import type { Values } from '../../platform/documents/form/text.ts';
import { formatTimestamp, joinParts } from '../../service/format.ts';
import { toSingleLine } from '../../service/text.ts';
import { createListChoices } from '../lists/model.ts';
import type { FollowUps } from './followUps.ts';
import { createTriggerChoices, followUpDetailFields } from './model.ts';
import { collection } from './kind.ts';
import { getMailText, hasMailText } from './record.ts';
import {
  findFollowUpRefusalPath,
  findFollowUpWarnings,
  followUpDetailsSchema,
  isEditable,
  getReadOnlyReason,
} from './validation.ts';

const commands: Readonly<Record<FollowUpFormCommand, string>> = {
  attachMail: 'mailing.followUp.attachMail',
  editMail: 'mailing.followUp.editMail',
  deleteMail: 'mailing.followUp.deleteMail',
  duplicate: 'mailing.record.duplicate',
};

const followUpFormKind = {
  collection,
  page: 'followUpForm',
  get title() {
    return t('Follow-up Form');
  },
  fieldOrder: followUpDetailFields,
  schema: followUpDetailsSchema,
  findRefusalPath: findFollowUpRefusalPath,
  commands,
  toListChoices: createListChoices,
};

/** An open form of a follow-up. */
export class FollowUpFormSession extends FormSession<FollowUpToPage> {
  readonly #followUps: FollowUps;
  #mails: Extract<FollowUpToPage, { type: 'mails' }> | undefined;

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, followUps: FollowUps) {
    super(followUpFormKind, document, panel, followUps.services);
    this.#followUps = followUps;
  }

  protected override sendExtras(): void {
    const profile = (this.record && this.services.connections.get(this.record.connection)?.profile) ?? 'documented';
    const triggers = createTriggerChoices(profile);
    const readOnlyReason = !this.record || isEditable('active', profile) ? undefined : getReadOnlyReason();
    this.post({ type: 'options', isRecord: this.record !== undefined, options: { triggers, readOnlyReason } });
    if (this.#mails) this.post(this.#mails);
  }

  protected override findWarnings(details: Values): readonly FieldProblem[] {
    return findFollowUpWarnings(details);
  }

  /** Sends the mails to the page. If reading fails, the form works without them: their delays are in the text. */
  protected override async refreshExtras(): Promise<void> {
    if (!this.record) return;
    const { connection, id } = this.record;
    const readMails = async () => {
      const ref = { ...this.services.connections.getService(connection), id };
      return Promise.all([this.#followUps.read(ref), this.#followUps.sentMails.read(ref)]);
    };
    const [followUp, sentMails] = await readMails().catch(() => [undefined, undefined] as const);
    if (!followUp) return;
    const isActive = followUp.active === 1;
    const lastTriggered = formatTimestamp(followUp.last_trigger);
    this.#mails = {
      type: 'mails',
      mails: followUp.mails.map(({ mail_id: id }) => {
        if (!hasMailText(followUp, id)) return { id, name: t`Email #${id}` };
        const { name, subject } = getMailText(followUp, id);
        const sentAt = formatTimestamp((sentMails.get(id)?.sent ?? 0) / 1000);
        return {
          id,
          name: toSingleLine(name) || t`Email #${id}`,
          subject: toSingleLine(subject),
          sentText: sentAt === undefined ? '' : t`Last sent from this computer on ${sentAt}.`,
        };
      }),
      isActive,
      statusText: joinParts([
        isActive
          ? t({ message: 'Active', comment: 'State of a follow-up' })
          : t({ message: 'Inactive', comment: 'State of a follow-up' }),
        lastTriggered !== undefined && t`last triggered ${lastTriggered}`,
      ]),
    };
    this.post(this.#mails);
  }
}
