import type * as vscode from 'vscode';
import type { Rooms } from '../../rooms.ts';
import type { RecordRef } from '../../workbench/record.ts';
import { FormSession } from './session.ts';

/** The open forms: a document may have several, side by side. */
export class FormSessions implements vscode.Disposable {
  readonly #rooms: Rooms;
  readonly #open = new Set<FormSession>();

  constructor(rooms: Rooms) {
    this.#rooms = rooms;
  }

  open(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    const session = new FormSession(document, panel, this.#rooms);
    this.#open.add(session);
    panel.onDidDispose(() => {
      this.#open.delete(session);
      session.dispose();
    });
  }

  /** The service refused to store a record: its forms say so where it belongs. */
  showServiceError(record: RecordRef, message: string): void {
    for (const session of this.#open) if (session.shows(record)) session.showServiceError(message);
  }

  /** A record was stored. */
  saved(record: RecordRef): void {
    for (const session of this.#open) if (session.shows(record)) session.saved();
  }

  dispose(): void {
    for (const session of this.#open) session.dispose();
    this.#open.clear();
  }
}
