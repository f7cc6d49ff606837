import { make } from '../../webviews/dom.ts';
import type { ButtonElement } from '../../webviews/toolkit.ts';

/** Whether the follow-up runs, and what can be done with it. */
export class Header {
  readonly element: HTMLElement;
  readonly #dot = make('i', { class: 'dot', 'aria-hidden': 'true' });
  readonly #words = make('span', { class: 'words' });
  readonly #attach = make('vscode-button', { appearance: 'primary', 'data-command': 'attachMail' }, 'Attach Mail…') as ButtonElement;
  readonly #actions = make('div', { class: 'actions', role: 'group', 'aria-label': 'Follow-up', hidden: '' }, this.#attach);

  constructor(attach: () => void) {
    this.#attach.addEventListener('click', attach);
    this.element = make(
      'header',
      { class: 'bar' },
      make('div', { class: 'standing', role: 'status' }, this.#dot, this.#words),
      this.#actions,
    );
  }

  /** Whether there is a service to attach mails on. */
  begin(isRecord: boolean): void {
    this.#actions.hidden = !isRecord;
    if (!isRecord) this.#words.textContent = 'Local file';
  }

  show(isActive: boolean, words: string): void {
    this.#dot.className = `dot ${isActive ? 'sent' : ''}`;
    if (this.#words.textContent !== words) this.#words.textContent = words;
  }

  enable(enabled: boolean): void {
    this.#attach.disabled = !enabled;
  }
}
