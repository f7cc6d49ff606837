import { t } from '@vscode/l10n';
import { describeAddedContent } from '../../../email/tags/index.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { plural } from '../../../l10n.ts';
import { Debouncer } from '../../../ui/async.ts';
import type { Channel } from '../../../ui/page/channel.ts';
import { make } from '../../../ui/page/dom.ts';
import { createInboxLine, getSnippet } from '../../../ui/page/inbox.ts';
import { iconButton, makeButton } from '../../../ui/page/toolkit.ts';
import type { MessageHandlers } from '../../../ui/protocol.ts';
import type { FromPage, LinkHeat, PreviewContent, ToPage, ToolbarState } from '../protocol.ts';
import { BranchPanel } from './branchPanel.ts';
import { HeatMap } from './heat.ts';
import { LinkBar } from './linkBar.ts';
import { NoticeLine } from './noticeLine.ts';
import { countRemote, type Pictures } from './pictures.ts';
import { scaleImage } from './scaleImage.ts';
import { Toolbar } from './toolbar.ts';
import { Viewer } from './viewer.ts';
import { Views } from './views.ts';

/** Delay before the size of the sent version is measured. */
const MEASURE_DEBOUNCE_MS = 120;
const SCROLL_DEBOUNCE_MS = 200;

/** The state that VS Code stores for the page and passes to the extension after a restart. */
export interface PreviewPageState {
  readonly document: string;
  /** Whether the preview is locked to this document. */
  readonly locked?: boolean;
  readonly scroll: readonly [x: number, y: number];
  /** The last heat map, and its selected link. */
  readonly heatId?: number;
  readonly heatAddress?: string;
}

/** An email with its toolbar, inbox line, notices and panels, which always show the same email. */
export class PreviewPage {
  readonly #channel: Channel<ToPage, FromPage, PreviewPageState>;
  readonly #pictures: Pictures;
  readonly #inbox = createInboxLine(undefined, (field, text) =>
    this.#channel.post({ type: 'edit', document: this.#document ?? '', field, text }),
  );
  readonly #unfold = iconButton('unfold', t('Show Sender and Preheader'), () =>
    this.#toolbar.update({ isInboxOpen: !this.#toolbar.state.isInboxOpen }),
  );
  readonly #recipient = make('span.recipient');
  readonly #viewer = new Viewer();
  readonly #branches = new BranchPanel((condition, shown) => {
    this.#viewer.choose(condition, shown);
    this.#updateTags();
  });
  readonly #toolbar: Toolbar;
  readonly #notices: NoticeLine;
  readonly #links: LinkBar;
  readonly views: Views;
  readonly #heatMap: HeatMap;
  readonly #measureDebouncer = new Debouncer(MEASURE_DEBOUNCE_MS);
  readonly #scrollDebouncer = new Debouncer(SCROLL_DEBOUNCE_MS);
  /** The URI of the shown email. Undefined while one is being opened. */
  #document: string | undefined;
  #title = '';
  #editable: PreviewContent['editable'];
  #cursor: number | undefined;
  /** Whether the element at the cursor must still be scrolled into view. Its position may be unknown while the user types. */
  #needsReveal = false;
  #isMarkUpdateScheduled = false;
  /** Number of blocked images and fonts in the shown email. */
  #remoteCount = 0;

  constructor(channel: Channel<ToPage, FromPage, PreviewPageState>, pictures: Pictures) {
    const post = (message: FromPage) => channel.post(message);
    this.#channel = channel;
    this.#pictures = pictures;
    this.#toolbar = new Toolbar(post, (state) => this.#setToolbar(state));
    const load = makeButton(t({ message: 'Load', args: [], comment: 'Button: load blocked images' }), () =>
      this.#toolbar.update({ remote: true }),
    );
    load.title = t('Loading remote content tells the sender that you opened the email.');
    this.#notices = new NoticeLine({ unread: makeButton(t('Retry'), () => post({ type: 'retry' })), remote: load });
    this.#links = new LinkBar(this.#viewer, post);
    this.views = new Views({
      point: (place) => place && post({ type: 'reveal', ...place }),
      links: this.#links,
      follow: (href) => this.#follow(href),
      scroll: () => this.#handleScroll(),
      onRender: () => this.#scheduleMarkUpdate(),
      onProblem: (message) => this.#notices.show('unrendered', message),
      onIdle: () => this.#handleIdle(),
    });
    this.#heatMap = new HeatMap(this.views, {
      onLayoutChange: () => this.#scheduleMarkUpdate(),
      onClose: () => post({ type: 'heatClosed' }),
      onSelect: (heatAddress) => this.#saveState({ heatAddress }),
    });
    this.#inbox.element.append(this.#recipient, this.#unfold);
    this.views.element.append(this.#links.element);
    document.body.append(
      this.#inbox.element,
      make(
        'main',
        make('h1.heard', t('Preview')),
        this.#toolbar.element,
        this.#notices.element,
        this.views.element,
        this.#branches.element,
        this.#heatMap.panel.element,
      ),
    );
  }

  readonly handlers: Omit<MessageHandlers<ToPage>, 'compare' | 'pictures'> = {
    opening: ({ title }) => this.#open(title),
    show: (content) => this.#show(content),
    change: ({ part, changes, length }) => {
      if (this.views.change(part, changes) !== length) this.#channel.post({ type: 'ready' });
    },
    sent: (message) => {
      this.views.setSent(message);
      this.#showNotices();
      // Measuring is slow, so it waits until the user pauses.
      this.#measureDebouncer.run(() => {
        this.#showSize();
        this.views.markClip();
      });
    },
    envelope: ({ envelope, editable }) => {
      this.#editable = editable;
      this.#viewer.setEnvelope(envelope);
      this.views.set({ envelope });
      this.#updateDescription();
    },
    scaleImage: async ({ id, image, format, offset }) => {
      const scaled = await scaleImage(new Blob([image], { type: `image/${format}` }), this.views.elementAt(offset));
      this.#channel.post({ type: 'imageScaled', id, ...scaled });
    },
    locked: ({ locked }) => this.#saveState({ locked }),
    viewers: (choices) => {
      const isChanged = this.#viewer.set(choices);
      this.#toolbar.showPeople(this.#viewer);
      if (isChanged) this.#updateTags();
    },
    cursor: ({ offset }) => {
      // If the preview was opened for its heat map, the first cursor position doesn't scroll it.
      this.#needsReveal = this.#cursor !== undefined || !this.#heatMap.isShown;
      this.#cursor = offset;
      this.#markCursor();
    },
    readFailure: ({ message }) => this.#notices.show('unread', message),
    problems: ({ errors, warnings }) => this.#toolbar.showProblems(errors, warnings),
    heat: ({ heat, heatId }) => this.#showHeat(heat, heatId),
  };

  #show(content: PreviewContent) {
    const { document, locked, body, stylesheet, envelope, recipient, base, root, toolbar } = content;
    const state = this.#channel.getState();
    const isOther = this.#document !== document;
    if (isOther) this.#open(content.title);
    this.#document = document;
    this.#editable = content.editable;
    this.#pictures.reset(content);
    this.#viewer.setEnvelope(envelope);
    this.#toolbar.setReceived(recipient !== undefined);
    this.#toolbar.show(toolbar);
    this.#recipient.textContent =
      recipient === undefined
        ? ''
        : `${t({ message: 'To:', args: [], comment: 'Email addresses follow.' })} ${toDisplayText(recipient)}`;
    this.#arrange(toolbar);
    this.views.show({ body, stylesheet, envelope, base, root, picture: this.#pictures.find }, toolbar);
    this.#showNotices();
    if (isOther && state?.document === document) this.views.renderer.frame?.window.scrollTo(...state.scroll);
    this.#channel.setState({ scroll: [0, 0], ...(state?.document === document && state), document, locked });
    this.#updateDescription();
  }

  /** Removes the previous email and all that is about it, and shows the title of the next one. */
  #open(title: string) {
    this.#document = this.#cursor = undefined;
    this.#title = title;
    this.#remoteCount = 0;
    this.#measureDebouncer.dispose();
    this.views.clear();
    this.#viewer.setEnvelope(undefined);
    this.#links.choose(undefined);
    this.#heatMap.show(undefined);
    this.#notices.clear();
    this.#recipient.textContent = '';
    this.#inbox.show(undefined, title, '');
    this.#branches.element.hidden = true;
  }

  #follow(href: string) {
    const { frame } = this.views.renderer;
    if (!href.startsWith('#')) this.#channel.post({ type: 'openLink', href });
    else if (frame) findAnchor(frame.document, href.slice(1)).scrollIntoView();
  }

  #handleScroll() {
    this.#heatMap.handleScroll();
    this.#scheduleMarkUpdate();
    this.#scrollDebouncer.run(() => {
      const view = this.views.renderer.frame?.window;
      if (view) this.#saveState({ scroll: [view.scrollX, view.scrollY] });
    });
  }

  #showHeat(heat: LinkHeat, heatId: number) {
    const state = this.#channel.getState();
    const isNew = state?.heatId !== heatId;
    const heatAddress = isNew ? heat.selectedAddress : state.heatAddress;
    this.#heatMap.show({ ...heat, selectedAddress: heatAddress });
    if (isNew) this.#heatMap.reveal();
    this.#saveState({ heatId, heatAddress });
  }

  #saveState(change: Partial<PreviewPageState>) {
    const state = this.#channel.getState();
    if (state) this.#channel.setState({ ...state, ...change });
  }

  #setToolbar(toolbar: ToolbarState) {
    this.#arrange(toolbar);
    this.views.setToolbar(toolbar);
    this.#showNotices();
    this.#channel.post({ type: 'toolbar', toolbar });
  }

  #arrange({ isInboxOpen }: ToolbarState) {
    this.#inbox.element.classList.toggle('open', isInboxOpen);
    this.#unfold.setAttribute('aria-expanded', String(isInboxOpen));
  }

  /** Updates marks after the next paint: measuring earlier would force a second layout. */
  #scheduleMarkUpdate() {
    if (this.#isMarkUpdateScheduled) return;
    this.#isMarkUpdateScheduled = true;
    requestAnimationFrame(() => {
      setTimeout(() => {
        this.#isMarkUpdateScheduled = false;
        this.views.stage.refresh();
        this.#heatMap.refresh();
      });
    });
  }

  #markCursor() {
    const element = this.#cursor === undefined ? undefined : this.views.elementAt(this.#cursor);
    const marked = element && !/^(html|head|body)$/i.test(element.nodeName) ? element : undefined;
    this.views.stage.setMark(marked, this.#needsReveal);
    if (element) this.#needsReveal = false;
  }

  /** Does the slow updates that wait until the user pauses. */
  #handleIdle() {
    this.#markCursor();
    this.#updateDescription();
    this.views.markClip();
    const { frame } = this.views.renderer;
    this.#remoteCount = frame && !this.#toolbar.state.remote ? countRemote(frame.document) : 0;
    this.#notices.show('omitted', frame && this.#pictures.describeOmitted(frame.document));
    this.#showNotices();
  }

  /** Shows the notices on the current view. */
  #showNotices() {
    const count = this.views.isText ? 0 : this.#remoteCount;
    const remoteText = plural(count, t('{0} remote image or font blocked'), t('{0} remote images or fonts blocked'));
    this.#notices.show('remote', count === 0 ? undefined : remoteText);
    this.#notices.show('note', this.views.note);
  }

  #showSize() {
    this.#toolbar.showSize(this.views.bytes, describeAddedContent(this.views.renderer.html, this.#viewer.language));
  }

  #updateTags() {
    this.views.setTags(this.#viewer.replacement);
    if (this.views.renderer.frame) this.#updateDescription();
  }

  #updateDescription() {
    const { frame, envelope } = this.views.renderer;
    this.#showSize();
    const snippet = frame ? getSnippet(frame.document) : '';
    this.#inbox.show(envelope, frame?.document.title || this.#title, snippet, this.#editable);
    this.#branches.show(this.#viewer);
  }
}

/** Returns the target of a link within an email, or its root. */
function findAnchor(document: Document, name: string) {
  const decoded = decodeName(name);
  return document.getElementById(decoded) ?? document.getElementsByName(decoded)[0] ?? document.documentElement;
}

function decodeName(name: string) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
