import { make } from '../../webviews/dom.ts';
import type { ButtonElement } from '../../webviews/toolkit.ts';
import type { FormCommand, Standing } from '../protocol.ts';
import { sentence } from '../../webviews/form/remarks.ts';

const actions: readonly { readonly command: FormCommand; readonly label: string; readonly isPrimary?: boolean }[] = [
  { command: 'openBody', label: 'Open Body' },
  { command: 'preview', label: 'Preview' },
  { command: 'sendTest', label: 'Send Test' },
  { command: 'send', label: 'Send…', isPrimary: true },
];

/** What the campaign is waiting for, and what can be done with it. */
export class Header {
  readonly element: HTMLElement;
  readonly #dot = make('i', { class: 'dot', 'aria-hidden': 'true' });
  readonly #words = make('span', { class: 'words' });
  readonly #state = make('div', { class: 'standing', role: 'status' }, this.#dot, this.#words);
  readonly #actions = make('div', { class: 'actions', role: 'group', 'aria-label': 'Campaign' });
  #send: ButtonElement | undefined;

  constructor(run: (command: FormCommand) => void) {
    for (const { command, label, isPrimary } of actions) {
      const control = make(
        'vscode-button',
        { appearance: isPrimary ? 'primary' : 'secondary', 'data-command': command },
        label,
      ) as ButtonElement;
      control.addEventListener('click', () => run(command));
      if (isPrimary) this.#send = control;
      this.#actions.append(control);
    }
    this.element = make('header', { class: 'bar' }, this.#state, this.#actions);
  }

  show(isRecord: boolean, standing: Standing | undefined): void {
    this.#actions.hidden = !isRecord;
    if (standing === undefined && isRecord) return;
    this.#dot.className = `dot ${standing?.state ?? ''}`;
    const words = standing ? sentence(standing.words) : 'Local file';
    if (this.#words.textContent !== words) this.#words.textContent = words;
  }

  enable(enabled: boolean): void {
    if (this.#send) this.#send.disabled = !enabled;
  }
}
