import * as vscode from 'vscode';
import type { Template } from '../api/index.ts';
import { sameValue } from '../documents/text.ts';
import type { Rooms } from '../rooms.ts';
import { showWarning } from '../workbench/messages.ts';
import { inMessage } from '../workbench/text.ts';
import type { RecordRef } from '../workbench/record.ts';
import { Targets, type RecordChoice, type RecordPick } from '../workbench/targets.ts';
import { suffixes, templateDocuments } from './documents.ts';

/** A template that a command opened, made or found, with the document that shows it. */
export interface FoundTemplate extends RecordRef {
  readonly uri: vscode.Uri;
}

/** What a new template is made of, by the API document's names. */
export type TemplateFields = Partial<
  Pick<Template, 'subject' | 'body' | 'stylesheet' | 'preheader' | 'from_name' | 'from_email' | 'reply_to_name' | 'reply_to_email' | 'headers'>
> & { readonly name: string };

const pickLimit = 50;

/** What the commands on templates share: finding the one that is meant, opening it, and telling the rest of the window of changes. */
export class Templates {
  readonly rooms: Rooms;
  readonly targets: Targets;

  constructor(rooms: Rooms) {
    this.rooms = rooms;
    this.targets = new Targets(rooms.connections);
  }

  /** The template that is meant, from the argument, the active editor (unless it is to be asked for) or a quick pick. */
  choose(argument: unknown, title: string, options: { fromEditor?: boolean } = {}): Promise<RecordRef | undefined> {
    return this.targets.record(argument, { ...templatePick, title, fromEditor: options.fromEditor ?? true });
  }

  read({ connection, id }: RecordRef): Promise<Template> {
    return this.rooms.connections.run(connection, (client) => client.getOneTemplate(id));
  }

  async open(ref: RecordRef, suffix: string = suffixes.body): Promise<FoundTemplate> {
    const uri = await this.rooms.documents.uri(templateDocuments.collection, ref, suffix);
    await vscode.window.showTextDocument(uri, { preview: false });
    return { ...ref, uri };
  }

  /**
   * Makes a template and opens it. What the service did not keep as it was given is told.
   *
   * Throws `ApiError`; of `outcome` `unknown` where it may have been made.
   */
  async create(connection: string, fields: TemplateFields): Promise<FoundTemplate> {
    const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''));
    const { templateId } = await this.rooms.connections.run(connection, (client) => client.createTemplate({ ...sent, name: fields.name }));
    const ref = { connection, id: templateId };
    this.rooms.explorer.refresh({ connection, collection: templateDocuments.collection });
    await this.#tellNotKept(ref, sent);
    return this.open(ref);
  }

  /** Shows in the tree and in open documents what has changed on the service. */
  async changed(ref: RecordRef): Promise<void> {
    this.rooms.explorer.refresh({ connection: ref.connection, collection: templateDocuments.collection });
    await this.rooms.documents.refresh(templateDocuments.collection, ref);
  }

  async #tellNotKept(ref: RecordRef, sent: Readonly<Record<string, unknown>>): Promise<void> {
    const template = await this.read(ref);
    const lost = Object.entries(sent)
      .filter(([name, value]) => !sameValue(value, templateDocuments.field(template, name)))
      .map(([name]) => name);
    if (lost.length === 0) return;
    void showWarning(`"${template.name}" was made, but the service did not keep as sent: ${lost.join(', ')}.`);
  }
}

const templatePick: RecordPick = {
  title: 'Templates',
  placeholder: 'Which template? Type to search names and subjects on the service',
  collection: templateDocuments.collection,
  search: async (client, text, signal): Promise<readonly RecordChoice[]> => {
    const templates = await client.getTemplates({ ...(text === '' ? {} : { search: text }), limit: pickLimit }, { signal });
    return templates.map((template) => ({
      id: template.id,
      label: inMessage(template.name ?? '') || `Template ${template.id}`,
      description: `#${template.id}`,
      ...(template.subject ? { detail: inMessage(template.subject) } : {}),
    }));
  },
};

/** The fields that make a copy of a template. */
export function copyOf(template: Template, name: string): TemplateFields {
  const { subject, body, stylesheet, preheader, from_name, from_email, reply_to_name, reply_to_email, headers } = template;
  return { name, subject, body, stylesheet, preheader, from_name, from_email, reply_to_name, reply_to_email, headers };
}
