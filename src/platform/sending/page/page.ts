import { shownText } from '../../../email/compose/fieldText.ts';
import { contentPolicy, doctypeOf, openFrame } from '../../preview/page/frame.ts';
import { prepare } from '../../preview/page/prepare.ts';
import { make } from '../../webview/dom.ts';
import type { Host } from '../../webview/host.ts';
import { firstWords, InboxLine } from '../../webview/inbox.ts';
import { makeButton } from '../../webview/toolkit.ts';
import type { FromPage, LastLook, ToPage } from '../protocol.ts';
import { linksOf } from './links.ts';

/** Highest frame of an email, in pixels: what is longer scrolls in it. */
const highest = 4000;

/** Shows what is about to go out, with a button that goes on to the question. */
export class LastLookPage {
  readonly #host: Host<ToPage, FromPage, undefined>;

  constructor(host: Host<ToPage, FromPage, undefined>) {
    this.#host = host;
  }

  start(): void {
    this.#host.listen(({ type, look }) => (type === 'look' ? this.#show(look) : undefined));
    this.#host.post({ type: 'ready' });
  }

  #show(look: LastLook): void {
    const mail = prepare(look.html, { scheme: 'light' });
    const inbox = new InboxLine('The service’s own sender');
    inbox.show(look.envelope, look.name, firstWords(mail));
    const stage = make('div', { class: 'stage' });
    const main = make(
      'main',
      {},
      section('In the inbox', inbox.element),
      section('When', ...look.when.map((words) => make('p', {}, words))),
      section('To whom', ...audience(look)),
      section('Sender', make('p', {}, senderWords(look))),
      section('Tested', make('p', { class: look.isTested ? 'fine' : 'attention' }, look.test)),
      section('Checks', ...checks(look)),
      section('Tags without a value', ...tags(look)),
      section(`The email, as ${shownText(look.as)} gets it`, hint('Nothing is loaded from the web here.'), stage),
      section('Links', ...links(mail)),
      section('Text part', ...textPart(look)),
    );
    document.body.querySelectorAll(':scope > header, :scope > main').forEach((shown) => shown.remove());
    document.body.append(this.#bar(look), main);
    fill(stage, mail);
  }

  #bar({ name, service, action }: LastLook): HTMLElement {
    const title = make('h1', {}, shownText(name), make('span', { class: 'hint' }, ` on ${shownText(service)}`));
    const go = makeButton(action, () => this.#host.post({ type: 'goOn' }), { appearance: 'primary' });
    const stop = makeButton('Don’t Send', () => this.#host.post({ type: 'stop' }));
    return make('header', { class: 'bar' }, title, make('div', { class: 'actions' }, stop, go));
  }
}

function section(heading: string, ...content: readonly Node[]): HTMLElement {
  return make('section', {}, make('h2', {}, heading), ...content);
}

function hint(words: string): HTMLElement {
  return make('p', { class: 'hint' }, words);
}

function audience({ lists, audience: people }: LastLook): readonly Node[] {
  const total = make('p', { class: 'total' }, people);
  if (lists === undefined) return [total];
  const rows = lists.map(({ name, color, people: size }) => {
    const swatch = make('i', { class: 'swatch', 'aria-hidden': 'true' });
    if (color !== undefined) swatch.style.background = color;
    return make(
      'li',
      {},
      swatch,
      make('span', { class: 'name' }, shownText(name)),
      make('span', { class: 'hint' }, size ?? ''),
    );
  });
  return [make('ul', { class: 'plain lists' }, ...rows), total];
}

function senderWords({
  envelope: { from_name, from_email, reply_to_name = '', reply_to_email = '' },
}: LastLook): string {
  const from = [from_name, from_email && `<${from_email}>`].filter(Boolean).join(' ');
  const reply = [reply_to_name, reply_to_email && `<${reply_to_email}>`].filter(Boolean).join(' ');
  return `${shownText(from) || 'As the service is configured'}${reply === '' ? '' : `. Replies go to ${shownText(reply)}`}`;
}

function checks({ findings, unchecked }: LastLook): readonly Node[] {
  if (unchecked !== undefined) return [make('p', { class: 'attention' }, shownText(unchecked))];
  if (findings.length === 0) return [make('p', { class: 'fine' }, 'No errors and no warnings.')];
  const names = { error: 'Error', warning: 'Warning' };
  const rows = findings.map(({ severity, message }) =>
    make('li', { class: severity }, make('strong', {}, `${names[severity]}: `), shownText(message)),
  );
  return [make('ul', { class: 'plain' }, ...rows)];
}

function tags({ emptyTags, sample }: LastLook): readonly Node[] {
  if (emptyTags.length === 0) return [make('p', {}, `None was found among ${sample}.`)];
  const rows = emptyTags.map(({ tag, words }) =>
    make('li', { class: 'warning' }, make('code', {}, shownText(tag)), ` ${words}`),
  );
  return [make('ul', { class: 'plain' }, ...rows), hint(`Counted among ${sample}.`)];
}

function links(mail: Document): readonly Node[] {
  const found = linksOf(mail);
  if (found.length === 0) return [make('p', {}, 'It has no links.')];
  const cells = found.map(({ text, address }) => [
    make('td', {}, shownText(text)),
    make('td', {}, make('code', {}, shownText(address))),
  ]);
  const rows = cells.map((row) => make('tr', {}, ...row));
  const head = make(
    'thead',
    {},
    make('tr', {}, make('th', { scope: 'col' }, 'Link'), make('th', { scope: 'col' }, 'Leads to')),
  );
  return [make('table', {}, head, make('tbody', {}, ...rows))];
}

function textPart({ text }: LastLook): readonly Node[] {
  if (text === undefined) return [make('p', {}, 'The service does not tell what it makes of the text.')];
  // It can be scrolled by keys.
  return [make('pre', { tabindex: '0', 'aria-label': 'Text part' }, text)];
}

/** Shows the email in a frame without scripts, as high as it is. */
function fill(stage: HTMLElement, mail: Document): void {
  const { element, document: inner } = openFrame(stage, doctypeOf(mail), contentPolicy(false, undefined));
  inner.replaceChild(inner.importNode(mail.documentElement, true), inner.documentElement);
  let width = -1;
  new ResizeObserver(() => {
    if (stage.clientWidth === width) return;
    width = stage.clientWidth;
    // A document is never lower than its frame.
    element.style.height = '0';
    element.style.height = `${Math.min(inner.documentElement.scrollHeight, highest)}px`;
  }).observe(stage);
}
