import * as vscode from 'vscode';
import type { MailingClient } from '../api/index.ts';
import type { Connections } from '../connections/connections.ts';
import type { RecordRef } from '../connections/record.ts';
import type { Recent } from '../ui/recent.ts';
import type { Documents } from './documents.ts';
import type { DocumentKind } from './model.ts';
import { Targets, type Picking as TargetPicking, type RecordChoice } from './targets.ts';

/** What commands on records need of the extension. */
export interface RecordServices {
  readonly connections: Connections;
  readonly documents: Documents;
  readonly recent: Recent;
  readonly explorer: { refresh(branch: { readonly connection: string; readonly collection: string }): void };
}

/** A record that a command opened, made or found, with the document that shows it. */
export interface FoundRecord extends RecordRef {
  readonly uri: vscode.Uri;
}

/** How records that can be made are picked: with their name as the service has it, by which one that was just made is found. */
export interface Picking extends TargetPicking {
  search(client: MailingClient, text: string, signal: AbortSignal): Promise<readonly (RecordChoice & { readonly name: string | null })[]>;
}

/** What the commands on records of one kind share: finding the one that is meant, opening it, and telling the window of changes. */
export class RecordCommands<R extends { readonly id: number }, Services extends RecordServices = RecordServices> {
  readonly services: Services;
  readonly targets: Targets;
  readonly kind: DocumentKind<R>;
  readonly picking: Picking;

  constructor(services: Services, kind: DocumentKind<R>, picking: Picking) {
    this.services = services;
    this.targets = new Targets(services.connections, services.recent);
    this.kind = kind;
    this.picking = picking;
  }

  /** The record that is meant, from the argument, the active editor (unless it is to be asked for) or a quick pick. */
  choose(argument: unknown, title: string, { fromEditor = true }: { fromEditor?: boolean } = {}): Promise<RecordRef | undefined> {
    return this.targets.record(argument, { ...this.picking, title, fromEditor });
  }

  run<T>({ connection }: Pick<RecordRef, 'connection'>, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    return this.services.connections.run(connection, operation);
  }

  read(ref: RecordRef): Promise<R> {
    return this.run(ref, (client) => this.kind.read(client, ref.id, { connection: ref.connection }));
  }

  /** What the user calls the service of a record. */
  service({ connection }: Pick<RecordRef, 'connection'>): string {
    return this.targets.service(connection);
  }

  async open(ref: RecordRef, suffix: string): Promise<FoundRecord> {
    const uri = await this.services.documents.uri(this.kind.collection, ref, suffix);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
    return { ...ref, uri };
  }

  /** Reads the branch of the tree again. */
  redraw({ connection }: Pick<RecordRef, 'connection'>): void {
    this.services.explorer.refresh({ connection, collection: this.kind.collection });
  }

  /** Shows in the tree and in open documents what has changed on the service. */
  async changed(ref: RecordRef): Promise<void> {
    this.redraw(ref);
    await this.services.documents.refresh(this.kind.collection, ref);
  }
}
