import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { MailingClient } from '../../../src/service/client/index.ts';
import { isUnsaved } from '../../../src/platform/documents/unsaved.ts';
import { eventually } from '../../support/eventually.ts';
import { type } from '../service.ts';
import { idOf, type Target, type Written } from './records.ts';
import type { TestWindow } from './window.ts';

/** A document of a record that everybody writes. */
export class Place {
  readonly record: Written;
  readonly folder: string;
  /** Below the record's folder, and no other place's. */
  readonly file: string;
  readonly target: Target;
  readonly #website: MailingClient;

  constructor(
    record: Written,
    target: Target,
    { folder, name, website }: { readonly folder: string; readonly name: string; readonly website: MailingClient },
  ) {
    this.record = record;
    this.folder = folder;
    this.file = target.file.replace(/^[^.]+/u, name);
    this.target = target;
    this.#website = website;
  }

  held(): Promise<string> {
    return this.target.read(this.#website, idOf(this.folder));
  }

  async websiteWrites(value: string): Promise<void> {
    await this.target.write(this.#website, idOf(this.folder), value);
  }
}

/** A document in a window, with the versions its user has read. */
export class Tab {
  readonly window: TestWindow;
  readonly place: Place;
  /** The user's edit, until a save is reported as stored. */
  typed: string | undefined;
  /** What the tab showed when they began to. */
  lastRead: string | undefined;
  /** What they agreed to overwrite. */
  agreed: string | undefined;
  /** Texts sent since the tab was last confirmed as stored. */
  readonly sent = new Set<string>();

  constructor(window: TestWindow, place: Place) {
    this.window = window;
    this.place = place;
  }

  get document(): vscode.TextDocument | undefined {
    const uri = this.uri.toString();
    return this.window.documents.find((document) => document.uri.toString() === uri);
  }

  get uri(): vscode.Uri {
    return this.window.uri(`${this.place.folder}/${this.place.file}`);
  }

  get name(): string {
    return `${this.place.folder}/${this.place.file} in ${this.window.scheme}`;
  }

  /** Whether the tab has edits, and its text. Nothing if it isn't open. */
  shown(): readonly [isUnsaved?: boolean, value?: string] {
    const { document } = this;
    return document ? [isUnsaved(document), this.place.target.find(document.getText())] : [];
  }

  /** What the service may hold without this tab's user being surprised by its end. */
  isKnown(held: string): boolean {
    return [this.lastRead, this.typed, this.agreed, ...this.sent].includes(held);
  }

  /** Types a text in place of what the tab shows. */
  async type(value: string): Promise<void> {
    await eventually(async () => {
      const document = this.#getShown() ?? (await this.window.open(`${this.place.folder}/${this.place.file}`));
      const isDirty = isUnsaved(document);
      const shown = this.place.target.find(document.getText());
      // An edit of a text that was just read again is not taken.
      await type(document, this.place.target.edit(document.getText(), value));
      if (!isDirty) this.lastRead = shown;
      this.typed = value;
    });
  }

  /** Closes a tab without edits. */
  async close(): Promise<void> {
    const uri = this.uri.toString();
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input, isDirty }) => !isDirty && input instanceof vscode.TabInputText && input.uri.toString() === uri);
    await vscode.window.tabGroups.close(tabs);
  }

  /** The text was stored, or given up: the user knows what the tab shows. */
  settled(): void {
    this.typed = undefined;
    this.lastRead = undefined;
    this.agreed = undefined;
    this.sent.clear();
  }

  /** Asserts that the tab contains every edit that is not confirmed as stored. */
  check(): void {
    if (this.typed !== undefined) assert.deepEqual(this.shown(), [true, this.typed], `the edit in ${this.name}`);
  }

  #getShown() {
    const uri = this.uri.toString();
    const isShown = vscode.window.tabGroups.all.some((group) =>
      group.tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri),
    );
    return isShown || this.typed !== undefined ? this.document : undefined;
  }
}
