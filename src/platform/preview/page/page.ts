import { make } from '../../webview/dom.ts';
import type { Host } from '../../webview/host.ts';
import { getSnippet, InboxLine } from '../../webview/inbox.ts';
import type { MessageHandlers } from '../../webview/messages.ts';
import { makeButton } from '../../webview/toolkit.ts';
import type { FromPage, LinkHeat, ToPage, ToolbarState } from '../protocol.ts';
import { BranchPanel } from './branchPanel.ts';
import type { MailFrame } from './frame.ts';
import { HeatMap } from './heat.ts';
import { listenTo } from './interaction.ts';
import { LinkBar } from './linkBar.ts';
import { countRemote, Pictures } from './pictures.ts';
import { Renderer } from './renderer.ts';
import { Stage } from './stage.ts';
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
  readonly heat?: { readonly turn: number; readonly chosen?: string };
}

/** Shows the host's messages and posts the user's actions. */
export class PreviewPage {
  readonly #host: Host<ToPage, FromPage, PreviewPageState>;
  readonly #post = (message: FromPage): void => this.#host.post(message);
  readonly #inbox = new InboxLine();
  readonly #toolbar = new Toolbar(this.#post, (state) => this.#setToolbar(state));
  readonly #viewer = new Viewer();
  readonly #branches = new BranchPanel((condition, shown) => {
    this.#viewer.choose(condition, shown);
    this.#updateTags();
  });
  readonly #remoteText = make('span', { title: 'Fetching them tells the sender that somebody looks.' });
  readonly #remoteNotice = make(
    'div',
    { class: 'notice', role: 'status', hidden: '' },
    this.#remoteText,
    makeButton('Show', () => this.#toolbar.update({ remote: true })),
  );
  readonly #omittedPicturesNotice = make('div', { class: 'notice', role: 'status', hidden: '' });
  readonly #readFailureText = make('span', {});
  readonly #readFailureNotice = make(
    'div',
    { class: 'notice problem', role: 'status', hidden: '' },
    this.#readFailureText,
    makeButton('Try Again', () => this.#post({ type: 'retry' })),
  );
  readonly #renderNotice = make('div', { class: 'notice problem', role: 'status', hidden: '' });
  readonly #note = make('div', { class: 'note', role: 'status', hidden: '' });
  readonly #stage = new Stage();
  readonly #links = new LinkBar(this.#viewer, this.#post);
  readonly #pictures = new Pictures((paths) => this.#post({ type: 'pictures', paths }));
  readonly #renderer = new Renderer(this.#stage.device, {
    onFrame: (frame) => this.#handleFrame(frame),
    onRender: () => this.#scheduleMarkUpdate(),
    onProblem: (message) => setNotice(this.#renderNotice, message),
    onIdle: () => this.#handleIdle(),
  });
  readonly #views = new Views(this.#renderer, (place) => this.#post({ type: 'reveal', ...place }), this.#links);
  readonly #heat = new HeatMap(this.#stage.device, {
    onLayoutChange: () => this.#scheduleMarkUpdate(),
    onClose: () => this.#post({ type: 'heatClosed' }),
    onSelect: (chosen) => this.#saveState({ heat: { turn: this.#heatTurn, chosen } }),
  });
  readonly #handlers: MessageHandlers<ToPage> = {
    show: (message) => this.#show(message),
    change: ({ part, changes, length }) => {
      if (this.#views.change(part, changes) !== length) this.#post({ type: 'ready' });
    },
    sent: (message) => {
      this.#views.setSent(message);
      this.#updateLayout();
      // Measuring is slow, so it waits until the user pauses.
      clearTimeout(this.#measureTimer);
      this.#measureTimer = setTimeout(() => this.#updateSize(), MEASURE_DEBOUNCE_MS);
    },
    envelope: ({ envelope }) => {
      this.#viewer.setEnvelope(envelope);
      this.#views.setEnvelope(envelope);
      this.#updateDescription();
    },
    pictures: ({ pictures }) => {
      this.#pictures.set(pictures);
      this.#views.update();
    },
    locked: ({ locked }) => this.#saveState({ locked }),
    viewers: (choices) => {
      this.#viewer.set(choices);
      this.#toolbar.showPeople(this.#viewer);
      this.#updateTags();
    },
    cursor: ({ offset }) => {
      // If the preview was opened for its heat map, the first cursor position doesn't scroll it.
      this.#needsReveal = this.#cursor !== undefined || !this.#heat.isShown;
      this.#cursor = offset;
      this.#markCursor();
    },
    readFailure: ({ message }) => {
      this.#readFailureText.textContent = message ?? '';
      this.#readFailureNotice.hidden = message === undefined;
    },
    problems: ({ errors, warnings }) => this.#toolbar.showProblems(errors, warnings),
    heat: ({ heat, heatId }) => this.#showHeat(heat, heatId),
  };
  #documentUri = '';
  #title = '';
  #cursor: number | undefined;
  /** Whether the element at the cursor must still be scrolled into view. Its position may be unknown while the user types. */
  #needsReveal = false;
  #heatTurn = 0;
  #scrollTimer: ReturnType<typeof setTimeout> | undefined;
  #measureTimer: ReturnType<typeof setTimeout> | undefined;
  #isMarkUpdateScheduled = false;

  constructor(host: Host<ToPage, FromPage, PreviewPageState>) {
    this.#host = host;
    this.#toolbar.element.append(this.#heat.chip);
  }

  /** Adds the page's elements to the document, and asks for the first messages. */
  start(): void {
    document.body.append(
      this.#inbox.element,
      this.#toolbar.element,
      this.#branches.element,
      this.#readFailureNotice,
      this.#renderNotice,
      this.#remoteNotice,
      this.#omittedPicturesNotice,
      this.#note,
      this.#stage.element,
      this.#views.text.element,
      this.#views.grid.element,
      this.#heat.panel.element,
      this.#links.element,
    );
    this.#host.start(this.#handlers);
  }

  #show({ document, title, locked, body, stylesheet, envelope, base, root, toolbar }: ToPage & { type: 'show' }): void {
    const before = this.#host.getState();
    const isAnotherDocument = this.#documentUri !== '' && this.#documentUri !== document;
    this.#documentUri = document;
    this.#title = title;
    this.#pictures.reset({ base, root });
    this.#viewer.setEnvelope(envelope);
    this.#toolbar.show(toolbar);
    this.#stage.arrange(toolbar);
    const isFirst = this.#renderer.frame === undefined;
    const picture = base === undefined ? undefined : this.#pictures.find;
    this.#views.show({ body, stylesheet, envelope, base, root, picture }, toolbar);
    this.#updateLayout();
    if (isFirst && before?.document === document) this.#scrollTo(before.scroll);
    if (isAnotherDocument) this.#reset();
    if (before?.document !== document) this.#host.setState({ document, locked, scroll: [0, 0] });
    else if (before.locked !== locked) this.#saveState({ locked });
    this.#updateDescription();
  }

  /** Resets the state of the previous email. */
  #reset(): void {
    this.#cursor = undefined;
    this.#markCursor();
    this.#links.choose(undefined);
    this.#heat.show(undefined, this.#renderer.frame);
    this.#scrollTo([0, 0]);
  }

  #handleFrame(frame: MailFrame): void {
    listenTo(frame, {
      point: (node, at) => {
        const place = this.#views.findSource(node, at);
        if (place) this.#post({ type: 'reveal', ...place });
      },
      hover: (link) => this.#links.hover(link),
      choose: (link) => this.#links.choose(link),
      follow: (href) => {
        if (href.startsWith('#')) findAnchor(frame.document, href.slice(1)).scrollIntoView();
        else this.#post({ type: 'openLink', href });
      },
      scroll: () => {
        this.#heat.handleScroll();
        this.#scheduleMarkUpdate();
        clearTimeout(this.#scrollTimer);
        this.#scrollTimer = setTimeout(() => {
          const view = this.#renderer.frame?.window;
          if (view) this.#saveState({ scroll: [view.scrollX, view.scrollY] });
        }, SCROLL_DEBOUNCE_MS);
      },
    });
    this.#heat.setFrame(frame);
  }

  #showHeat(heat: LinkHeat, turn: number): void {
    const before = this.#host.getState()?.heat;
    const isNew = before?.turn !== turn;
    const chosen = isNew ? heat.selectedAddress : before.chosen;
    this.#heatTurn = turn;
    this.#heat.show({ ...heat, selectedAddress: chosen }, this.#renderer.frame);
    if (isNew) this.#heat.reveal();
    this.#saveState({ heat: { turn, chosen } });
  }

  #saveState(change: Partial<PreviewPageState>): void {
    this.#host.setState({ document: this.#documentUri, scroll: [0, 0], ...this.#host.getState(), ...change });
  }

  #scrollTo([x, y]: PreviewPageState['scroll']): void {
    this.#renderer.frame?.window.scrollTo(x, y);
  }

  #setToolbar(toolbar: ToolbarState): void {
    this.#stage.arrange(toolbar);
    this.#views.setToolbar(toolbar);
    this.#updateLayout();
    this.#post({ type: 'toolbar', toolbar });
  }

  /** Updates marks after the next paint: measuring earlier would force a second layout. */
  #scheduleMarkUpdate(): void {
    if (this.#isMarkUpdateScheduled) return;
    this.#isMarkUpdateScheduled = true;
    requestAnimationFrame(() => {
      setTimeout(() => {
        this.#isMarkUpdateScheduled = false;
        this.#stage.refresh();
        this.#heat.refresh();
      });
    });
  }

  #markCursor(): void {
    const element = this.#cursor === undefined ? undefined : this.#views.elementAt(this.#cursor);
    const marked = element && !/^(html|head|body)$/i.test(element.nodeName) ? element : undefined;
    this.#stage.setMark(marked, this.#needsReveal);
    if (element) this.#needsReveal = false;
  }

  /** Does the slow updates that wait until the user pauses. */
  #handleIdle(): void {
    this.#markCursor();
    this.#updateDescription();
    this.#updateSize();
    const { frame } = this.#renderer;
    const remote = frame && !this.#toolbar.state.remote ? countRemote(frame.document) : 0;
    this.#remoteNotice.hidden = remote === 0;
    this.#remoteText.textContent = `${remote} remote ${remote === 1 ? 'image or font' : 'images or fonts'} blocked`;
    setNotice(this.#omittedPicturesNotice, frame && this.#pictures.describeOmitted(frame.document));
  }

  /** Shows either the email or its text part, and the note. */
  #updateLayout(): void {
    const { isText, isGrid, note } = this.#views;
    this.#stage.element.hidden = isText || isGrid;
    this.#views.text.element.hidden = !isText;
    setNotice(this.#note, note);
  }

  /** Updates the message size and the position where Gmail clips. */
  #updateSize(): void {
    this.#toolbar.showSize(this.#views.bytes);
    this.#stage.setClip(this.#views.clipped);
  }

  #updateTags(): void {
    this.#views.setTags(this.#viewer.replace);
    if (this.#renderer.frame) this.#updateDescription();
  }

  #updateDescription(): void {
    const { frame, envelope } = this.#renderer;
    this.#toolbar.showSize(this.#views.bytes);
    this.#inbox.show(envelope, frame?.document.title || this.#title, frame ? getSnippet(frame.document) : '');
    this.#branches.show(this.#viewer);
  }
}

function setNotice(element: HTMLElement, message: string | undefined): void {
  element.hidden = message === undefined;
  element.textContent = message ?? '';
}

/** Returns the target of a link within an email, or its root. */
function findAnchor(document: Document, name: string): Element {
  const decoded = decodeName(name);
  return document.getElementById(decoded) ?? document.getElementsByName(decoded)[0] ?? document.documentElement;
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
