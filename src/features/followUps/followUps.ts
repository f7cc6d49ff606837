import * as vscode from 'vscode';
import { buildUri } from '../../platform/documents/uri.ts';
import type { DocumentKind } from '../../platform/documents/model.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { runAfterChange } from '../../platform/sending/recordChanges.ts';
import { showError } from '../../platform/ui/messages.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { RecordCommands, type FoundRecord } from '../../platform/documents/recordCommands.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import { canRetry } from '../../platform/ui/errors.ts';
import { getMailFieldName, getMailPath, type FollowUpRecord } from './documents.ts';
import type { MailText } from './mailText.ts';
import { collection, followUpPicking, followUpSuffixes } from './model.ts';
import type { FollowUpKey, SentMailStore } from './sentMailStore.ts';

export interface FoundMail extends FoundRecord {
  readonly mailId: number;
}

/** Operations shared by the follow-up commands. */
export class FollowUps extends RecordCommands<FollowUpRecord, ExtensionServices> {
  readonly sentMails: SentMailStore;

  constructor(services: ExtensionServices, kind: DocumentKind<FollowUpRecord>, sentMails: SentMailStore) {
    super(services, kind, followUpPicking);
    this.sentMails = sentMails;
  }

  getKey({ connection, id }: RecordRef): FollowUpKey {
    return { connection, baseUrl: this.services.connections.get(connection)?.baseUrl ?? '', followUpId: id };
  }

  /** Stores the text of a mail that was just sent. Shows an error instead of throwing, because the mail was sent. */
  async storeMail(ref: RecordRef, mailId: number, text: MailText): Promise<void> {
    try {
      await this.sentMails.store(this.getKey(ref), mailId, text, Date.now());
    } catch (error) {
      void showError(error, {
        title: `The service took mail #${mailId}, but this machine can't keep its text`,
        log: this.services.log,
      });
    }
  }

  getMail({ connection, id }: RecordRef, mailId: number): FoundMail {
    return {
      connection,
      id,
      uri: buildUri(collection, { connection, id }, getMailPath(mailId, followUpSuffixes.body)),
      mailId,
    };
  }

  async openMail(ref: RecordRef, mailId: number): Promise<FoundMail> {
    const found = this.getMail(ref, mailId);
    await vscode.commands.executeCommand('vscode.open', found.uri, { preview: false });
    return found;
  }

  /** Refreshes the follow-up and opens a mail that was just sent. Shows a warning if that fails. */
  async showMail(ref: RecordRef, mailId: number, description: string): Promise<FoundMail> {
    await runAfterChange(description, async () => {
      await this.refresh(ref);
      await this.openMail(ref, mailId);
    });
    return this.getMail(ref, mailId);
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
      const { log } = this.services;
      const retry = canRetry(error) && { retry: () => vscode.commands.executeCommand(command, values) };
      void showError(error, { title, log, connection: values.connection, ...retry });
      return undefined;
    }
  }
}

/** Returns a mail's stored name or subject, or its id if there is no stored text. */
export function getMailName({ view }: FollowUpRecord, mailId: number): string {
  const name = view.values[getMailFieldName(mailId, 'name')] ?? view.values[getMailFieldName(mailId, 'subject')];
  return typeof name === 'string' && name.trim() !== '' ? escapeMessage(name) : `Mail #${mailId}`;
}
