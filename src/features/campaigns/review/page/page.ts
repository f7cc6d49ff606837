import { t } from '@vscode/l10n';
import { toDisplayText } from '../../../../email/compose/fieldText.ts';
import { plural } from '../../../../l10n.ts';
import { getFramePolicy, openFrame, prepareDocument, serializeDoctype } from '../../../preview/page/frame.ts';
import { createColorSample, make } from '../../../../ui/page/dom.ts';
import type { Channel } from '../../../../ui/page/channel.ts';
import { createInboxLine, getSnippet } from '../../../../ui/page/inbox.ts';
import { makeButton } from '../../../../ui/page/toolkit.ts';
import type { FromPage, SendReview, ToPage } from '../protocol.ts';

/** Longer emails scroll inside their frame. */
const MAX_FRAME_HEIGHT_PX = 4000;

/** Shows everything about a campaign before it is sent. */
export function startSendReview(channel: Channel<ToPage, FromPage>): void {
  channel.start({
    review: ({ review }) => {
      const { name, service, action, repetition } = review;
      const hint = make('span.hint', ` · ${toDisplayText(service)}`);
      const go = makeButton(action, () => channel.post({ type: 'continue' }), {
        appearance: 'primary',
        class: repetition === undefined ? '' : 'danger',
      });
      const stop = makeButton(t("Don't Send"), () => channel.post({ type: 'cancel' }));
      const actions = make('div.actions', stop, go);
      const bar = make('header.bar', make('h1', toDisplayText(name), hint), actions);
      const mail = prepareDocument(review.html, { scheme: 'light' });
      const stage = make('div.stage');
      document.body.querySelectorAll(':scope > header, :scope > main').forEach((shown) => shown.remove());
      document.body.append(bar, createSections(review, mail, stage));
      renderMail(stage, mail);
    },
  });
}

function createSections(review: SendReview, mail: Document, stage: HTMLElement) {
  const inbox = createInboxLine(t("The service's default sender"));
  inbox.show(review.envelope, review.name, getSnippet(mail));
  return make(
    'main',
    ...(review.repetition === undefined ? [] : [make('p.danger', review.repetition)]),
    createSection(t('Inbox'), inbox.element),
    createSection(t('Schedule'), ...review.schedule.map((words) => make('p', words))),
    createSection(t('Recipients'), ...createAudience(review)),
    createSection(t('Sender'), ...formatSender(review).map((words) => make('p', words))),
    createSection(
      t({ message: 'Tests', comment: 'Heading: whether the email was sent as a test' }),
      make(review.isTested ? 'p.fine' : 'p.attention', review.testStatus),
    ),
    createSection(t({ message: 'Checks', comment: 'Heading: problems found in the email' }), ...createChecks(review)),
    createSection(
      t({ message: 'Missing values', comment: 'Heading: merge tags without a value' }),
      ...createTags(review),
    ),
    createSection(
      t({ message: 'Email', comment: 'Heading: how the email looks' }),
      createHint(formatMailHint(review)),
      stage,
    ),
    createSection(t('Links'), ...createLinks(mail)),
    createSection(t('Plain-text part'), ...createTextPart(review)),
  );
}

function createSection(heading: string, ...content: readonly Node[]) {
  return make('section', make('h2', heading), ...content);
}

function createHint(words: string) {
  return make('p.hint', words);
}

function createAudience({ lists, audience: people }: SendReview): readonly Node[] {
  const total = make('p.total', people);
  if (lists === undefined) return [total];
  const rows = lists.map(({ name, color, subscriberCount: size }) =>
    make('li', createColorSample(color), make('span.name', toDisplayText(name)), make('span.hint', size)),
  );
  return [make('ul.plain.lists', ...rows), total];
}

function formatMailHint({ personName }: SendReview) {
  const person =
    personName === undefined
      ? t('Shown as a typical subscriber gets it.')
      : t`Shown as ${toDisplayText(personName)} gets it.`;
  return `${person} ${t('Images and other web content are not loaded.')}`;
}

function formatSender({ envelope, unsubscribeHeader }: SendReview) {
  const format = (name = '', email = '') => toDisplayText([name, email && `<${email}>`].filter(Boolean).join(' '));
  const reply = format(envelope.reply_to_name, envelope.reply_to_email);
  const from = format(envelope.from_name, envelope.from_email) || t("The service's default sender");
  const texts = {
    sent: t('Recipients get a one-click unsubscribe header.'),
    noTag: t('Recipients get no one-click unsubscribe header. The email has no tag "unsubscribe".'),
    noReplyTo: t('Recipients get no one-click unsubscribe header. The email has no reply-to address.'),
    unknown: t(
      'The email has no reply-to address. Recipients get a one-click unsubscribe header only if the site sets one.',
    ),
  };
  const header = unsubscribeHeader ? [texts[unsubscribeHeader]] : [];
  return [from, ...(reply === '' ? [] : [t`Reply to: ${reply}`]), ...header];
}

function createChecks({ findings, uncheckedReason }: SendReview): readonly Node[] {
  if (uncheckedReason !== undefined) return [make('p.attention', toDisplayText(uncheckedReason))];
  if (findings.length === 0) return [make('p.fine', t('No errors or warnings.'))];
  const labels = { error: t('Error:'), warning: t('Warning:') };
  const rows = findings.map(({ severity, message }) =>
    make(`li.${severity}`, make('strong', `${labels[severity]} `), toDisplayText(message)),
  );
  return [make('ul.plain', ...rows)];
}

function createTags({ emptyTags, sampleSize }: SendReview): readonly Node[] {
  if (sampleSize === 0) return [make('p', t("Not checked: couldn't read any subscribers."))];
  if (emptyTags.length === 0) {
    const result = plural(
      sampleSize,
      t('No missing values for the first subscriber of its lists.'),
      t('No missing values for the first {0} subscribers of its lists.'),
    );
    return [make('p', result)];
  }
  const rows = emptyTags.map(({ tag, summary, isNote }) =>
    make(isNote ? 'li' : 'li.warning', make('code', toDisplayText(tag)), ` ${summary}`),
  );
  const hint = plural(
    sampleSize,
    t('Counted for the first subscriber of its lists.'),
    t('Counted for the first {0} subscribers of its lists.'),
  );
  return [make('ul.plain', ...rows), createHint(hint)];
}

function createLinks(mail: Document): readonly Node[] {
  const found = getLinks(mail);
  if (found.length === 0) return [make('p', t('No links.'))];
  const rows = found.map(([text, address]) =>
    make('tr', make('td', toDisplayText(text)), make('td', make('code', toDisplayText(address)))),
  );
  const headings = [t('Link'), t('Destination')].map((heading) => make('th', { scope: 'col' }, heading));
  const head = make('thead', make('tr', ...headings));
  return [make('table', head, make('tbody', ...rows))];
}

function createTextPart({ text }: SendReview): readonly Node[] {
  if (text === undefined) return [make('p', t("The plain-text part isn't available for this service."))];
  // Focusable, so that it scrolls with the keyboard.
  return [make('pre', { tabindex: '0', 'aria-label': t('Plain-text part') }, text)];
}

/** Renders the email in a frame without scripts, at its full height. */
function renderMail(stage: HTMLElement, mail: Document) {
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

/** Returns the text and address of each link of an email in document order, without duplicates. */
function getLinks(mail: Document): readonly (readonly [text: string, address: string])[] {
  const all = [...mail.querySelectorAll('a[href], area[href]')].map(
    (element) => [getLinkText(element), element.getAttribute('href')?.trim() ?? ''] as const,
  );
  return [...new Map(all.map((link) => [link.join('\n'), link])).values()].slice(0, MAX_LINKS);
}

/** Returns the link text, or the alternative text of its image. */
function getLinkText(element: Element) {
  const words = (element.textContent ?? '').replace(/\s+/g, ' ').trim();
  return (
    words || element.querySelector('img[alt]')?.getAttribute('alt') || element.getAttribute('alt') || t('(no text)')
  );
}
