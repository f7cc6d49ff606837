import './inbox.css';
import { t } from '@vscode/l10n';
import type { Envelope } from '../../email/compose/compose.ts';
import { make } from './dom.ts';
import { toDisplayText } from '../../email/compose/fieldText.ts';

/** Characters of the body that mail clients show without a preheader. */
const MAX_SNIPPET_CHARS = 140;

/** Returns the start of a body's text, as a mail client shows it. */
export function getSnippet(document: Document): string {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let words = '';
  while (words.length < MAX_SNIPPET_CHARS && walker.nextNode()) {
    const node = walker.currentNode;
    if (!/^(style|title|script)$/i.test(node.parentNode?.nodeName ?? ''))
      words = `${words} ${node.nodeValue ?? ''}`.replace(/\s+/g, ' ').trimStart();
  }
  return words.slice(0, MAX_SNIPPET_CHARS).trim();
}

/** Shows the email's line in the inbox: sender, subject, and preheader. */
export class InboxLine {
  readonly element = make('header', { class: 'inbox', 'aria-label': t('Inbox preview') });
  readonly #avatar = make('span', { class: 'avatar', 'aria-hidden': 'true' });
  readonly #sender = make('span', { class: 'sender' });
  readonly #address = make('span', { class: 'address' });
  readonly #subject = make('span', { class: 'subject' });
  readonly #preheader = make('span', { class: 'preheader' });

  readonly #missingSender: string;

  /** `missingSender` is shown if there is no sender. */
  constructor(missingSender = t('No sender')) {
    this.#missingSender = missingSender;
    const from = make('div', { class: 'from' }, this.#sender, this.#address);
    const line = make('div', { class: 'line' }, this.#subject, this.#preheader);
    this.element.append(this.#avatar, make('div', { class: 'text' }, from, line));
  }

  /** `envelope` is undefined for a local file, which only has a title. */
  show(envelope: Envelope | undefined, title: string, snippet: string): void {
    const { from_name: name = '', from_email: address = '', subject = title } = envelope ?? {};
    const preheader = envelope?.preheader.trim() ?? '';
    this.element.classList.toggle('anonymous', !envelope);
    setText(this.#avatar, ((name || address).trim()[0] ?? '?').toUpperCase());
    setText(this.#sender, name || address, this.#missingSender);
    setText(this.#address, name && address);
    setText(this.#subject, subject, t('(no subject)'));
    setText(this.#preheader, preheader, snippet);
    this.#preheader.title = preheader || !envelope ? '' : t('No preheader: mail clients show the start of the email.');
  }
}

/** Shows untrusted text on one line, without invisible characters or ones that change the reading direction. */
function setText(element: HTMLElement, text: string, fallback = '') {
  const shown = toDisplayText(text || fallback);
  element.classList.toggle('missing', text === '');
  if (element.textContent !== shown) element.textContent = shown;
}
