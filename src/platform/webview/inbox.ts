import './inbox.css';
import type { Envelope } from '../../email/compose/compose.ts';
import { make } from './dom.ts';
import { toDisplayText } from '../../email/compose/fieldText.ts';

/** Characters of the body that mail clients show where there is no preheader. */
const SNIPPET = 140;

/** The text a mail client would show of a body: its first words, without what is no text. */
export function firstWords(document: Document): string {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let words = '';
  while (words.length < SNIPPET && walker.nextNode()) {
    const node = walker.currentNode;
    if (!/^(style|title|script)$/i.test(node.parentNode?.nodeName ?? ''))
      words = `${words} ${node.nodeValue ?? ''}`.replace(/\s+/g, ' ').trimStart();
  }
  return words.slice(0, SNIPPET).trim();
}

/** The line of the inbox that the email will be: sender, subject, and what follows it. */
export class InboxLine {
  readonly element = make('header', { class: 'inbox', 'aria-label': 'As the inbox shows it' });
  readonly #avatar = make('span', { class: 'avatar', 'aria-hidden': 'true' });
  readonly #sender = make('span', { class: 'sender' });
  readonly #address = make('span', { class: 'address' });
  readonly #subject = make('span', { class: 'subject' });
  readonly #preheader = make('span', { class: 'preheader' });

  readonly #nobody: string;

  /** `nobody` stands for a sender that isn't named. */
  constructor(nobody = 'No sender') {
    this.#nobody = nobody;
    const from = make('div', { class: 'from' }, this.#sender, this.#address);
    const line = make('div', { class: 'line' }, this.#subject, this.#preheader);
    this.element.append(this.#avatar, make('div', { class: 'text' }, from, line));
  }

  /** `envelope` is absent for a local file, which has its own title only. */
  show(envelope: Envelope | undefined, title: string, words: string): void {
    const name = envelope?.from_name || envelope?.from_email || '';
    const subject = envelope ? envelope.subject : title;
    this.element.classList.toggle('anonymous', !envelope);
    set(this.#avatar, (name.trim()[0] ?? '?').toUpperCase());
    set(this.#sender, name || this.#nobody);
    this.#sender.classList.toggle('missing', name === '');
    set(this.#address, envelope?.from_name && envelope.from_email ? envelope.from_email : '');
    set(this.#subject, subject || '(no subject)');
    this.#subject.classList.toggle('missing', subject === '');
    const preheader = envelope?.preheader.trim() ?? '';
    set(this.#preheader, preheader || words);
    this.#preheader.title = preheader || !envelope ? '' : 'No preheader: mail clients show how the email begins.';
    this.#preheader.classList.toggle('missing', preheader === '');
  }
}

/** Shows hostile text: no longer than a line, and without signs that hide or turn round. */
function set(element: HTMLElement, text: string): void {
  const shown = toDisplayText(text);
  if (element.textContent !== shown) element.textContent = shown;
}
