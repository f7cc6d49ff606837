import './inbox.css';
import type { Envelope } from '../../email/compose/compose.ts';
import { t } from '../../l10n.ts';
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

/**
 * Creates the email's line in the inbox: sender, subject, and preheader.
 * @param missingSender is shown if there is no sender
 */
export function createInboxLine(missingSender = t('No sender')) {
  const avatar = make('span.avatar', { 'aria-hidden': 'true' });
  const sender = make('span.sender');
  const addressElement = make('span.address');
  const subjectElement = make('span.subject');
  const preheaderElement = make('span.preheader');
  const from = make('div.from', sender, addressElement);
  const line = make('div.line', subjectElement, preheaderElement);
  const element = make('header.inbox', { 'aria-label': t('Inbox preview') }, avatar, make('div.text', from, line));
  return {
    element,
    /** `envelope` is undefined for a local file, which only has a title. */
    show: (envelope: Envelope | undefined, title: string, snippet: string) => {
      const { from_name: name = '', from_email: address = '', subject = title } = envelope ?? {};
      const preheader = envelope?.preheader.trim() ?? '';
      element.classList.toggle('anonymous', !envelope);
      setText(avatar, ((name || address).trim()[0] ?? '?').toUpperCase());
      setText(sender, name || address, missingSender);
      setText(addressElement, name && address);
      setText(subjectElement, subject, t('(no subject)'));
      setText(preheaderElement, preheader, snippet);
      preheaderElement.title =
        preheader || !envelope ? '' : t('No preheader: mail clients show the start of the email.');
    },
  };
}

/** Shows untrusted text on one line, without invisible characters or ones that change the reading direction. */
function setText(element: HTMLElement, text: string, fallback = '') {
  const shown = toDisplayText(text || fallback);
  element.classList.toggle('missing', text === '');
  if (element.textContent !== shown) element.textContent = shown;
}
