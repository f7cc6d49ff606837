import { make } from '../../../ui/page/dom.ts';

/** The kinds of messages, the most important first. */
const kinds = ['unread', 'unrendered', 'note', 'omitted', 'remote'] as const;
type Kind = (typeof kinds)[number];

/** One line above the email with all messages, and the buttons of those that have one. */
export function createNoticeLine(buttons: Partial<Readonly<Record<Kind, HTMLElement>>>) {
  const text = make('span.text', { role: 'status' });
  const element = make('div.notice', { hidden: '' }, text, ...Object.values(buttons));
  const messages = new Map<Kind, string>();

  /** `undefined` removes the message. */
  function show(kind: Kind, message: string | undefined) {
    if (message === undefined) messages.delete(kind);
    else messages.set(kind, message);
    const shown = kinds.flatMap((each) => messages.get(each) ?? []).join(' · ');
    element.hidden = shown === '';
    element.classList.toggle('problem', messages.has('unread') || messages.has('unrendered'));
    for (const each of kinds) buttons[each]?.toggleAttribute('hidden', !messages.has(each));
    if (text.textContent === shown) return;
    // The line cuts off a text that is too long.
    text.textContent = text.title = shown;
  }

  return { element, show };
}
