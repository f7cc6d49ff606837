import { make } from '../../../ui/page/dom.ts';

/** The kinds of messages, the most important first. */
const kinds = ['unread', 'unrendered', 'note', 'omitted', 'remote'] as const;
type Kind = (typeof kinds)[number];

/** One line above the email with all messages, and the buttons of those that have one. */
export class NoticeLine {
  readonly #buttons: Partial<Readonly<Record<Kind, HTMLElement>>>;
  readonly #text = make('span.text', { role: 'status' });
  readonly #messages = new Map<Kind, string>();
  readonly element: HTMLElement;

  constructor(buttons: Partial<Readonly<Record<Kind, HTMLElement>>>) {
    this.#buttons = buttons;
    this.element = make('div.notice', { hidden: '' }, this.#text, ...Object.values(buttons));
  }

  clear(): void {
    for (const kind of this.#messages.keys()) this.show(kind, undefined);
  }

  /** `undefined` removes the message. */
  show(kind: Kind, message: string | undefined): void {
    const messages = this.#messages;
    if (message === undefined) messages.delete(kind);
    else messages.set(kind, message);
    const text = kinds.flatMap((each) => messages.get(each) ?? []).join(' · ');
    this.element.hidden = text === '';
    this.element.classList.toggle('problem', messages.has('unread') || messages.has('unrendered'));
    for (const each of kinds) this.#buttons[each]?.toggleAttribute('hidden', !messages.has(each));
    // The line cuts off a text that is too long.
    if (this.#text.textContent !== text) this.#text.textContent = this.#text.title = text;
  }
}
