import type * as vscode from 'vscode';
import { lensNames } from '../../../email/lenses/model.ts';
import { initialToolbar, type ToolbarState } from '../protocol.ts';

const TOOLBAR_STORAGE_KEY = 'mailing.preview.toolbar';

const allowedValues: { readonly [Name in keyof ToolbarState]: readonly ToolbarState[Name][] } = {
  view: ['authored', 'sent', 'text'],
  lens: ['none', ...lensNames],
  grid: [true, false],
  width: ['320', '375', '600', 'full'],
  zoom: ['fit', '50', '75', '100', '125', '150', '200'],
  scheme: ['light', 'dark'],
  remote: [true, false],
};

function readToolbarSetting<Name extends keyof ToolbarState>(name: Name, value: unknown): ToolbarState[Name] {
  return allowedValues[name].find((choice) => choice === value) ?? initialToolbar[name];
}

/** Stores the toolbar settings across previews and restarts. */
export class ToolbarStore {
  readonly #storage: vscode.Memento;

  constructor(storage: vscode.Memento) {
    this.#storage = storage;
  }

  /** Invalid stored values, such as those of another version, fall back to the defaults. */
  get(): ToolbarState {
    const stored = this.#storage.get<Partial<Record<keyof ToolbarState, unknown>>>(TOOLBAR_STORAGE_KEY) ?? {};
    return {
      view: readToolbarSetting('view', stored.view),
      lens: readToolbarSetting('lens', stored.lens),
      grid: readToolbarSetting('grid', stored.grid),
      width: readToolbarSetting('width', stored.width),
      zoom: readToolbarSetting('zoom', stored.zoom),
      scheme: readToolbarSetting('scheme', stored.scheme),
      remote: readToolbarSetting('remote', stored.remote),
    };
  }

  async set(state: ToolbarState): Promise<void> {
    await this.#storage.update(TOOLBAR_STORAGE_KEY, state);
  }
}
