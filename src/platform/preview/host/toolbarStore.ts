import type * as vscode from 'vscode';
import { lensNames } from '../../../email/lenses/model.ts';
import { initialToolbar as initial, type ToolbarState } from '../protocol.ts';

const key = 'mailing.preview.toolbar';

const allowed: { readonly [Name in keyof ToolbarState]: readonly ToolbarState[Name][] } = {
  view: ['authored', 'sent', 'text'],
  lens: ['none', ...lensNames],
  grid: [true, false],
  width: ['320', '375', '600', 'full'],
  zoom: ['fit', '50', '75', '100', '125', '150', '200'],
  scheme: ['light', 'dark'],
  remote: [true, false],
};

function checked<Name extends keyof ToolbarState>(name: Name, value: unknown): ToolbarState[Name] {
  return allowed[name].find((choice) => choice === value) ?? initial[name];
}

/** What previews are set to: kept from one to the next, and from one day to the next. */
export class ToolbarStore {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** What is stored by an older version, or by hand, counts as far as it can be understood. */
  get(): ToolbarState {
    const stored = this.#memory.get<Partial<Record<keyof ToolbarState, unknown>>>(key) ?? {};
    return {
      view: checked('view', stored.view),
      lens: checked('lens', stored.lens),
      grid: checked('grid', stored.grid),
      width: checked('width', stored.width),
      zoom: checked('zoom', stored.zoom),
      scheme: checked('scheme', stored.scheme),
      remote: checked('remote', stored.remote),
    };
  }

  async set(state: ToolbarState): Promise<void> {
    await this.#memory.update(key, state);
  }
}
