import * as vscode from 'vscode';
import type { ExtensionServices } from '../../../../platform/services.ts';
import { SUBSCRIBERS_VIEW_TYPE, type PanelRef } from '../protocol.ts';
import type { RecordRef } from '../../../../platform/connections/model.ts';
import { collection } from '../../../lists/model.ts';
import { SubscribersSession } from './session.ts';

/** The open panels, one for each set of lists. */
export class SubscriberPanels {
  readonly #services: ExtensionServices;
  readonly #openPanels = new Map<string, { readonly ref: PanelRef; readonly panel: vscode.WebviewPanel }>();

  constructor(services: ExtensionServices) {
    this.#services = services;
    const removed = services.explorer.onDidDeleteRecord((record) =>
      record.collection === collection ? this.#onListDeleted(record) : undefined,
    );
    services.context.subscriptions.push(removed);
  }

  /** Opens the panel of some lists, or reveals it. */
  show(ref: PanelRef): void {
    const open = this.#openPanels.get(getPanelKey(ref));
    if (open) {
      open.panel.reveal();
      return;
    }
    this.#attach(vscode.window.createWebviewPanel(SUBSCRIBERS_VIEW_TYPE, 'Subscribers', vscode.ViewColumn.Active), ref);
  }

  /** Restores a panel after a restart. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const ref = parsePanelRef(state);
    if (ref === undefined || this.#openPanels.has(getPanelKey(ref))) panel.dispose();
    else this.#attach(panel, ref);
  }

  /** Closes the panel that shows only a deleted list. */
  #onListDeleted({ connection, id }: RecordRef): void {
    this.#openPanels.get(getPanelKey({ connection, listIds: [id] }))?.panel.dispose();
  }

  #attach(panel: vscode.WebviewPanel, ref: PanelRef): void {
    const key = getPanelKey(ref);
    const session = new SubscribersSession(panel, ref, this.#services);
    this.#openPanels.set(key, { ref, panel });
    panel.onDidDispose(() => {
      this.#openPanels.delete(key);
      session.dispose();
    });
  }
}

function getPanelKey({ connection, listIds }: PanelRef): string {
  return JSON.stringify([connection, [...listIds].sort((one, other) => one - other)]);
}

/** Parses a page's stored state, which is untrusted. */
function parsePanelRef(state: unknown): PanelRef | undefined {
  const { panel } = (typeof state === 'object' && state !== null ? state : {}) as {
    readonly panel?: Partial<Record<keyof PanelRef, unknown>>;
  };
  const { connection, listIds } = panel ?? {};
  if (typeof connection !== 'string' || !Array.isArray(listIds)) return undefined;
  const ids = listIds.filter((id) => Number.isSafeInteger(id));
  return ids.length === 0 ? undefined : { connection, listIds: ids };
}
