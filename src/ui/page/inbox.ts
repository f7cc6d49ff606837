import './inbox.css';
import type { Envelope } from '../../email/compose/compose.ts';
import { t } from '../../l10n.ts';
import { make } from './dom.ts';
import { toDisplayText } from '../../email/compose/fieldText.ts';

type EnvelopeField = 'subject' | 'preheader' | 'from_name' | 'from_email';

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
 * @param onEdit receives what the user typed into a field
 */
export function createInboxLine(missingSender = t('No sender'), onEdit?: (field: EnvelopeField, text: string) => void) {
  const avatar = make('span.avatar', { 'aria-hidden': 'true' });
  const sender = make('span.sender');
  const addressElement = make('span.address');
  const subjectElement = make('span.subject');
  const preheaderElement = make('span.preheader');
  let stored: Partial<Envelope> = {};
  let showAgain: (() => void) | undefined;
  /** The field that the user is in, and its text before. It may stay the active element after that. */
  let entered: readonly [field: HTMLElement, text: string] | undefined;
  /** Shows untrusted text on one line, without invisible characters or ones that change the reading direction. */
  const setText = (each: HTMLElement, text: string, fallback = '') => {
    if (each === entered?.[0]) return;
    const shown = toDisplayText(text || fallback);
    each.classList.toggle('missing', text === '');
    if (each.textContent !== shown) each.textContent = shown;
  };
  const fields = [
    ['subject', subjectElement, t('Subject')],
    ['preheader', preheaderElement, t('Preheader')],
    ['from_name', sender, t('From name')],
    ['from_email', addressElement, t('From email')],
  ] as const;
  for (const [field, each] of fields) {
    const reset = () => {
      entered = [each, (each.textContent = stored[field] ?? '')];
    };
    each.addEventListener('focus', reset);
    each.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') reset();
      else if (event.key !== 'Enter') return;
      event.preventDefault();
      each.blur();
    });
    each.addEventListener('blur', () => {
      const text = toLine(each.textContent);
      const isEdited = field in stored && text !== toLine(entered?.[1] ?? text);
      entered = undefined;
      if (isEdited) onEdit?.(field, text);
      else showAgain?.();
    });
  }
  const from = make('div.from', sender, addressElement);
  const line = make('div.line', subjectElement, preheaderElement);
  const element = make('header.inbox', { 'aria-label': t('Inbox preview') }, avatar, make('div.text', from, line));
  return {
    element,
    /** `envelope` is undefined for a local file, which only has a title. `editable`: the stored fields that the user can edit. */
    show: (envelope: Envelope | undefined, title: string, snippet: string, editable: Partial<Envelope> = {}) => {
      const { from_name: name = '', from_email: address = '', subject = title } = envelope ?? {};
      const preheader = envelope?.preheader.trim() ?? '';
      stored = editable;
      showAgain = () => {
        element.classList.toggle('anonymous', !envelope);
        setText(avatar, (/\S/u.exec(name || address)?.[0] ?? '?').toUpperCase());
        setText(sender, name || address, missingSender);
        setText(addressElement, name && address);
        setText(subjectElement, subject, t('(no subject)'));
        setText(preheaderElement, preheader, snippet);
        preheaderElement.title =
          preheader || !envelope ? '' : t('No preheader: mail clients show the start of the email.');
      };
      for (const [field, each, label] of fields) {
        const isEditable = field in editable;
        each.contentEditable = isEditable ? 'plaintext-only' : 'false';
        each.role = isEditable ? 'textbox' : null;
        each.ariaLabel = isEditable ? label : null;
        if (!isEditable) each.blur();
      }
      showAgain();
    },
  };
}

/** Removes line breaks and repeated blanks. Keeps no-break spaces. */
const toLine = (text: string) => text.replace(/[ \t\r\n]+/g, ' ').trim();
