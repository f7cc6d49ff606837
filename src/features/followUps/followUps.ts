import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import { buildUri } from '../../platform/documents/uri.ts';
import type { ExtensionServices } from '../services.ts';
import { runAfterChange } from '../sending/recordChanges.ts';
import { showError } from '../../ui/messages.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { RecordCommands, type FoundRecord } from '../../platform/documents/recordCommands.ts';
import { getTextColumn } from '../../platform/documents/unsaved.ts';
import { canRetry } from '../../ui/errors.ts';
import { createFollowUpDocuments } from './documents.ts';
import { followUpPicking } from './model.ts';
import { collection, followUpSuffixes } from './kind.ts';
import { getMailPath, type FollowUpRecord, type MailText } from './record.ts';
import { SentMailStore } from './sentMailStore.ts';

export interface FoundMail extends FoundRecord {
  readonly mailId: number;
}

/** Operations shared by the follow-up commands. */
export class FollowUps extends RecordCommands<FollowUpRecord, ExtensionServices> {
  readonly sentMails: SentMailStore;

  constructor(services: ExtensionServices) {
    const { connections, context } = services;
    const root = vscode.Uri.joinPath(context.globalStorageUri, 'sent-mails').fsPath;
    const sentMails = new SentMailStore(root);
    super(
      services,
      createFollowUpDocuments(sentMails, (id) => connections.get(id)),
      followUpPicking,
    );
    this.sentMails = sentMails;
  }

  /** Stores the text of a mail that was just sent. Shows an error instead of throwing, because the mail was sent. */
  async storeMail(ref: RecordRef, mailId: number, text: MailText): Promise<void> {
    try {
      await this.sentMails.store(ref, mailId, text);
    } catch (error) {
      void showError(error, {
        title: t`Email #${mailId} was saved on the service, but its text couldn't be stored on this computer`,
        log: this.services.log,
      });
    }
  }

  /** Returns the document of a mail's body or details. */
  getMailUri(ref: RecordRef, mailId: number, suffix: string = followUpSuffixes.body): vscode.Uri {
    return buildUri(collection, ref, getMailPath(mailId, suffix));
  }

  async openMail(ref: RecordRef, mailId: number): Promise<FoundMail> {
    const uri = this.getMailUri(ref, mailId);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: false, viewColumn: getTextColumn() });
    return { ...ref, uri, mailId };
  }

  /** Refreshes the follow-up and opens a mail that was just sent. Shows a warning with `done` if that fails. */
  async showMail(ref: RecordRef, mailId: number, done: string): Promise<FoundMail> {
    await runAfterChange(done, async () => {
      await this.refresh(ref);
      await this.openMail(ref, mailId);
    });
    return { ...ref, uri: this.getMailUri(ref, mailId), mailId };
  }

  /**
   * Runs a task and shows an error if it fails. "Retry" runs the command again with the values that the user typed; it is offered only
   * if repeating the task is safe.
   */
  async withRetry<T>(
    command: string,
    title: string,
    values: Readonly<Record<string, unknown>> & { readonly connection: string },
    task: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      const retry = canRetry(error) && { retry: () => vscode.commands.executeCommand(command, values) };
      void showError(error, { title, log: this.services.log, ...retry });
      return undefined;
    }
  }
}
