import * as vscode from 'vscode';
import type { ExtensionServices } from '../../../../platform/services.ts';
import { viewType, type PanelRef } from '../protocol.ts';
import type { RecordRef } from '../../../../platform/connections/record.ts';
import { collection } from '../../../lists/model.ts';
import { SubscribersSession } from './session.ts';

/** The open panels of subscribers: one for each set of lists. */
export class SubscriberPanels {
  readonly #services: ExtensionServices;
  readonly #open = new Map<string, { readonly ref: PanelRef; readonly panel: vscode.WebviewPanel }>();

  constructor(services: ExtensionServices) {
    this.#services = services;
    const removed = services.explorer.onDidRemove((record) =>
      record.collection === collection ? this.#gone(record) : undefined,
    );
    services.context.subscriptions.push(removed);
  }

  /** Opens the subscribers of some lists, or brings them to the front. */
  show(ref: PanelRef): void {
    const open = this.#open.get(keyOf(ref));
    if (open) {
      open.panel.reveal();
      return;
    }
    this.#settle(vscode.window.createWebviewPanel(viewType, 'Subscribers', vscode.ViewColumn.Active), ref);
  }

  /** Gives a panel that came back after a restart its content. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const ref = refOf(state);
    if (ref === undefined || this.#open.has(keyOf(ref))) panel.dispose();
    else this.#settle(panel, ref);
  }

  /** A list is gone, and with it the panel that shows nothing else. */
  #gone({ connection, id }: RecordRef): void {
    this.#open.get(keyOf({ connection, listIds: [id] }))?.panel.dispose();
  }

  #settle(panel: vscode.WebviewPanel, ref: PanelRef): void {
    const key = keyOf(ref);
    const session = new SubscribersSession(panel, ref, this.#services);
    this.#open.set(key, { ref, panel });
    panel.onDidDispose(() => {
      this.#open.delete(key);
      session.dispose();
    });
  }
}

function keyOf({ connection, listIds }: PanelRef): string {
  return JSON.stringify([connection, [...listIds].sort((one, other) => one - other)]);
}

/** What a page keeps is no more to be trusted than what a service sends. */
function refOf(state: unknown): PanelRef | undefined {
  const { panel } = (typeof state === 'object' && state !== null ? state : {}) as {
    readonly panel?: Partial<Record<keyof PanelRef, unknown>>;
  };
  const { connection, listIds } = panel ?? {};
  if (typeof connection !== 'string' || !Array.isArray(listIds)) return undefined;
  const ids = listIds.filter((id) => Number.isSafeInteger(id));
  return ids.length === 0 ? undefined : { connection, listIds: ids };
}
