import * as vscode from 'vscode';
import { build } from '../documents/uri.ts';
import type { DocumentKind } from '../documents/model.ts';
import type { Rooms } from '../rooms.ts';
import { showError } from '../ui/messages.ts';
import type { RecordRef } from '../connections/record.ts';
import { RecordCommands, type FoundRecord, type Picking } from '../documents/recordCommands.ts';
import { inMessage } from '../ui/text.ts';
import { collection, mailField, mailFile, suffixes, type FollowUpRecord } from './documents.ts';
import type { MailText } from './mailText.ts';
import type { FollowUpPlace, SentMails } from './sentMails.ts';
import { triggerWords } from './triggers.ts';

/** A mail that a command attached, opened or deleted. */
export interface FoundMail extends FoundRecord {
  readonly mailId: number;
}

/** What the commands on follow-ups share. */
export class FollowUps extends RecordCommands<FollowUpRecord> {
  readonly sent: SentMails;

  constructor(rooms: Rooms, kind: DocumentKind<FollowUpRecord>, sent: SentMails) {
    super(rooms, kind, picking);
    this.sent = sent;
  }

  place({ connection, id }: RecordRef): FollowUpPlace {
    return { connection, baseUrl: this.rooms.connections.get(connection)?.baseUrl ?? '', followUpId: id };
  }

  /** Keeps the text of a mail that was just sent. Where the disk refuses it, that is told: the mail was sent all the same. */
  async keep(ref: RecordRef, mailId: number, text: MailText): Promise<void> {
    try {
      await this.sent.keep(this.place(ref), mailId, text, Date.now());
    } catch (error) {
      void showError(error, { title: `The service took mail #${mailId}, but this machine can't keep its text`, log: this.rooms.log });
    }
  }

  async openMail(ref: RecordRef, mailId: number): Promise<FoundMail> {
    const uri = build(collection, ref, mailFile(mailId, suffixes.body));
    await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
    return { connection: ref.connection, id: ref.id, uri, mailId };
  }

  /**
   * Runs a task whose values a user typed. Where it fails, that is told, and "Retry" tries again with the same values: nothing has to be
   * typed twice.
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
      const { log } = this.rooms;
      void showError(error, { title, log, connection: values.connection, retry: () => vscode.commands.executeCommand(command, values) });
      return undefined;
    }
  }
}

/** What a mail is called: the name it was sent with where that is known. */
export function mailName({ view }: FollowUpRecord, mailId: number): string {
  const name = view.values[mailField(mailId, 'name')] ?? view.values[mailField(mailId, 'subject')];
  return typeof name === 'string' && name.trim() !== '' ? inMessage(name) : `Mail #${mailId}`;
}

const picking: Picking = {
  placeholder: 'Which follow-up? Type to search names on the service',
  search: async (client, text, signal) => {
    const followUps = await client.getFollowUps({ limit: 100, ...(text === '' ? {} : { filters: { name: text } }) }, { signal });
    return followUps.map(({ id, name, trigger }) => ({
      id,
      label: inMessage(name ?? '') || `Follow-up ${id}`,
      description: `#${id}`,
      ...(trigger ? { detail: inMessage(triggerWords(trigger) ?? '') } : {}),
    }));
  },
};
