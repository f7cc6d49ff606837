import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { getFramePolicy, openFrame, prepareDocument, serializeDoctype } from '../../preview/page/frame.ts';
import { createColorSample, make } from '../../webview/dom.ts';
import type { Host } from '../../webview/host.ts';
import { getSnippet, InboxLine } from '../../webview/inbox.ts';
import { makeButton } from '../../webview/toolkit.ts';
import type { FromPage, SendReview, ToPage } from '../protocol.ts';

/** Longer emails scroll inside their frame. */
const MAX_FRAME_HEIGHT_PX = 4000;

/** Shows everything about a campaign before it is sent. */
export class SendReviewPage {
  readonly #host: Host<ToPage, FromPage, undefined>;

  constructor(host: Host<ToPage, FromPage, undefined>) {
    this.#host = host;
  }

  start(): void {
    this.#host.start({ review: ({ review }) => this.#show(review) });
  }

  #show(review: SendReview): void {
    const mail = prepareDocument(review.html, { scheme: 'light' });
    const inbox = new InboxLine('The service’s own sender');
    inbox.show(review.envelope, review.name, getSnippet(mail));
    const stage = make('div', { class: 'stage' });
    const main = make(
      'main',
      {},
      createReviewSection('In the inbox', inbox.element),
      createReviewSection('When', ...review.schedule.map((words) => make('p', {}, words))),
      createReviewSection('Recipients', ...createAudience(review)),
      createReviewSection('Sender', make('p', {}, formatSender(review))),
      createReviewSection('Tested', make('p', { class: review.isTested ? 'fine' : 'attention' }, review.testStatus)),
      createReviewSection('Checks', ...createChecks(review)),
      createReviewSection('Tags without a value', ...createTags(review)),
      createReviewSection(
        `Email for ${toDisplayText(review.personName)}`,
        createReviewHint('Images and other web content are not loaded.'),
        stage,
      ),
      createReviewSection('Links', ...createLinks(mail)),
      createReviewSection('Text part', ...createTextPart(review)),
    );
    document.body.querySelectorAll(':scope > header, :scope > main').forEach((shown) => shown.remove());
    document.body.append(this.#bar(review), main);
    renderMail(stage, mail);
  }

  #bar({ name, service, action }: SendReview): HTMLElement {
    const title = make('h1', {}, toDisplayText(name), make('span', { class: 'hint' }, ` on ${toDisplayText(service)}`));
    const go = makeButton(action, () => this.#host.post({ type: 'continue' }), { appearance: 'primary' });
    const stop = makeButton('Don’t Send', () => this.#host.post({ type: 'cancel' }));
    return make('header', { class: 'bar' }, title, make('div', { class: 'actions' }, stop, go));
  }
}

function createReviewSection(heading: string, ...content: readonly Node[]): HTMLElement {
  return make('section', {}, make('h2', {}, heading), ...content);
}

function createReviewHint(words: string): HTMLElement {
  return make('p', { class: 'hint' }, words);
}

function createAudience({ lists, audience: people }: SendReview): readonly Node[] {
  const total = make('p', { class: 'total' }, people);
  if (lists === undefined) return [total];
  const rows = lists.map(({ name, color, subscriberCount: size }) =>
    make(
      'li',
      {},
      createColorSample(color),
      make('span', { class: 'name' }, toDisplayText(name)),
      make('span', { class: 'hint' }, size),
    ),
  );
  return [make('ul', { class: 'plain lists' }, ...rows), total];
}

function formatSender({
  envelope: { from_name, from_email, reply_to_name = '', reply_to_email = '' },
}: SendReview): string {
  const from = [from_name, from_email && `<${from_email}>`].filter(Boolean).join(' ');
  const reply = [reply_to_name, reply_to_email && `<${reply_to_email}>`].filter(Boolean).join(' ');
  return `${toDisplayText(from) || 'The service’s default sender'}${reply === '' ? '' : `. Replies go to ${toDisplayText(reply)}`}`;
}

function createChecks({ findings, uncheckedReason }: SendReview): readonly Node[] {
  if (uncheckedReason !== undefined) return [make('p', { class: 'attention' }, toDisplayText(uncheckedReason))];
  if (findings.length === 0) return [make('p', { class: 'fine' }, 'No errors and no warnings.')];
  const names = { error: 'Error', warning: 'Warning' };
  const rows = findings.map(({ severity, message }) =>
    make('li', { class: severity }, make('strong', {}, `${names[severity]}: `), toDisplayText(message)),
  );
  return [make('ul', { class: 'plain' }, ...rows)];
}

function createTags({ emptyTags, sampleDescription }: SendReview): readonly Node[] {
  if (emptyTags.length === 0) return [make('p', {}, `None found in ${sampleDescription}.`)];
  const rows = emptyTags.map(({ tag, summary }) =>
    make('li', { class: 'warning' }, make('code', {}, toDisplayText(tag)), ` ${summary}`),
  );
  return [make('ul', { class: 'plain' }, ...rows), createReviewHint(`Counted in ${sampleDescription}.`)];
}

function createLinks(mail: Document): readonly Node[] {
  const found = getLinks(mail);
  if (found.length === 0) return [make('p', {}, 'No links.')];
  const cells = found.map(({ text, address }) => [
    make('td', {}, toDisplayText(text)),
    make('td', {}, make('code', {}, toDisplayText(address))),
  ]);
  const rows = cells.map((row) => make('tr', {}, ...row));
  const head = make(
    'thead',
    {},
    make('tr', {}, make('th', { scope: 'col' }, 'Link'), make('th', { scope: 'col' }, 'Destination')),
  );
  return [make('table', {}, head, make('tbody', {}, ...rows))];
}

function createTextPart({ text }: SendReview): readonly Node[] {
  if (text === undefined) return [make('p', {}, 'The text part isn’t available for this service.')];
  // Focusable, so that it scrolls with the keyboard.
  return [make('pre', { tabindex: '0', 'aria-label': 'Text part' }, text)];
}

/** Renders the email in a frame without scripts, at its full height. */
function renderMail(stage: HTMLElement, mail: Document): void {
  const { element, document: inner } = openFrame(stage, serializeDoctype(mail), getFramePolicy(false, undefined));
  inner.replaceChild(inner.importNode(mail.documentElement, true), inner.documentElement);
  let width = -1;
  new ResizeObserver(() => {
    if (stage.clientWidth === width) return;
    width = stage.clientWidth;
    // A document is never shorter than its frame, so measuring starts at zero.
    element.style.height = '0';
    element.style.height = `${Math.min(inner.documentElement.scrollHeight, MAX_FRAME_HEIGHT_PX)}px`;
  }).observe(stage);
}

const MAX_LINKS = 200;

interface Link {
  /** The link text, or the alternative text of its image. */
  readonly text: string;
  readonly address: string;
}

/** Returns the links of an email in document order, without duplicates. */
function getLinks(mail: Document): readonly Link[] {
  const all = [...mail.querySelectorAll('a[href], area[href]')].map((element) => ({
    text: getLinkText(element),
    address: element.getAttribute('href')?.trim() ?? '',
  }));
  const each = new Map(all.map((link) => [`${link.text}\n${link.address}`, link]));
  return [...each.values()].slice(0, MAX_LINKS);
}

function getLinkText(element: Element): string {
  const words = (element.textContent ?? '').replace(/\s+/g, ' ').trim();
  return words || element.querySelector('img[alt]')?.getAttribute('alt') || element.getAttribute('alt') || '(no text)';
}
