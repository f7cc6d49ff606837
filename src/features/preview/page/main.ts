import './preview.css';
import { t } from '@vscode/l10n';
import { describeAddedContent } from '../../../email/tags/index.ts';
import { plural } from '../../../l10n.ts';
import { Debouncer } from '../../../ui/async.ts';
import { make } from '../../../ui/page/dom.ts';
import { Channel } from '../../../ui/page/channel.ts';
import { createInboxLine, getSnippet } from '../../../ui/page/inbox.ts';
import { button, iconButton, makeButton, registerControls } from '../../../ui/page/toolkit.ts';
import type { FromPage, LinkHeat, PreviewContent, ToPage, ToolbarState } from '../protocol.ts';
import { createBranchPanel } from './branchPanel.ts';
import { createComparison } from './comparison.ts';
import type { MailFrame } from './frame.ts';
import { createHeatMap } from './heat.ts';
import { listenTo } from './interaction.ts';
import { createLinkBar } from './linkBar.ts';
import { createNoticeLine } from './noticeLine.ts';
import { countRemote, createPictures } from './pictures.ts';
import { createRenderer } from './renderer.ts';
import { scaleImage } from './scaleImage.ts';
import { createStage } from './stage.ts';
import { createToolbar } from './toolbar.ts';
import { createViewer } from './viewer.ts';
import { createViews } from './views.ts';

/** Delay before the size of the sent version is measured. */
const MEASURE_DEBOUNCE_MS = 120;
const SCROLL_DEBOUNCE_MS = 200;

/** The state that VS Code stores for the page and passes to the extension after a restart. */
interface PreviewPageState {
  readonly document: string;
  /** Whether the preview is locked to this document. */
  readonly locked?: boolean;
  readonly scroll: readonly [x: number, y: number];
  /** The last heat map, and its selected link. */
  readonly heat?: { readonly turn: number; readonly chosen?: string };
}

registerControls(button);
const channel = new Channel<ToPage, FromPage, PreviewPageState>();
const post = (message: FromPage) => channel.post(message);
const inbox = createInboxLine();
const toolbar = createToolbar(post, setToolbar);
const viewer = createViewer();
const branches = createBranchPanel((condition, shown) => {
  viewer.choose(condition, shown);
  updateTags();
});
const loadButton = makeButton(t({ message: 'Load', args: [], comment: 'Button: load blocked images' }), () =>
  toolbar.update({ remote: true }),
);
const notices = createNoticeLine({
  unread: makeButton(t('Retry'), () => post({ type: 'retry' })),
  remote: loadButton,
});
const unfoldButton = iconButton('unfold', t('Show Sender and Preheader'), () =>
  toolbar.update({ isInboxOpen: !toolbar.getState().isInboxOpen }),
);
const stage = createStage();
const links = createLinkBar(viewer, post);
const pictures = createPictures((paths) => post({ type: 'pictures', paths }));
const renderer = createRenderer(stage.device, {
  onFrame: handleFrame,
  onRender: scheduleMarkUpdate,
  onProblem: (message) => notices.show('unrendered', message),
  onIdle: handleIdle,
});
const views = createViews(renderer, (place) => post({ type: 'reveal', ...place }), links);
const heatMap = createHeatMap(stage.device, {
  onLayoutChange: scheduleMarkUpdate,
  onClose: () => post({ type: 'heatClosed' }),
  onSelect: (chosen) => saveState({ heat: { turn: heatTurn, chosen } }),
});
const measureDebouncer = new Debouncer(MEASURE_DEBOUNCE_MS);
const scrollDebouncer = new Debouncer(SCROLL_DEBOUNCE_MS);
let content: PreviewContent | undefined;
let comparison: ReturnType<typeof createComparison> | undefined;
let cursor: number | undefined;
/** Whether the element at the cursor must still be scrolled into view. Its position may be unknown while the user types. */
let needsReveal = false;
let heatTurn = 0;
let isMarkUpdateScheduled = false;
/** Number of blocked images and fonts in the shown email. */
let remoteCount = 0;

loadButton.title = t('Loading remote content tells the sender that you opened the email.');
inbox.element.append(unfoldButton);
document.body.append(
  inbox.element,
  make(
    'main',
    make('h1.heard', t('Preview')),
    toolbar.element,
    notices.element,
    make('div.content', stage.element, views.text.element, views.grid.element, links.element),
    branches.element,
    heatMap.panel.element,
  ),
);
channel.start({
  show,
  compare: (versions) => (comparison ??= createComparison(pictures)).show(versions),
  change: ({ part, changes, length }) => {
    if (views.change(part, changes) !== length) post({ type: 'ready' });
  },
  sent: (message) => {
    views.setSent(message);
    updateLayout();
    // Measuring is slow, so it waits until the user pauses.
    measureDebouncer.run(updateSize);
  },
  envelope: ({ envelope }) => {
    viewer.setEnvelope(envelope);
    views.set({ envelope });
    updateDescription();
  },
  pictures: (message) => {
    pictures.set(message.pictures);
    (comparison ?? views).update();
  },
  scaleImage: async ({ id, image, format, offset }) => {
    const scaled = await scaleImage(new Blob([image], { type: `image/${format}` }), views.elementAt(offset));
    post({ type: 'imageScaled', id, ...scaled });
  },
  locked: ({ locked }) => saveState({ locked }),
  viewers: (choices) => {
    const isChanged = viewer.set(choices);
    toolbar.showPeople(viewer);
    if (isChanged) updateTags();
  },
  cursor: ({ offset }) => {
    // If the preview was opened for its heat map, the first cursor position doesn't scroll it.
    needsReveal = cursor !== undefined || !heatMap.isShown();
    cursor = offset;
    markCursor();
  },
  readFailure: ({ message }) => notices.show('unread', message),
  problems: ({ errors, warnings }) => toolbar.showProblems(errors, warnings),
  heat: ({ heat, heatId }) => showHeat(heat, heatId),
});

function show(next: PreviewContent) {
  const { document, locked, body, stylesheet, envelope, base, root } = next;
  const state = channel.getState();
  const before = content;
  content = next;
  pictures.reset({ base, root });
  viewer.setEnvelope(envelope);
  toolbar.show(next.toolbar);
  arrange(next.toolbar);
  const picture = base === undefined ? undefined : pictures.find;
  views.show({ body, stylesheet, envelope, base, root, picture }, next.toolbar);
  updateLayout();
  if (!before && state?.document === document) scrollMail(state.scroll);
  if (before && before.document !== document) reset();
  channel.setState({ scroll: [0, 0], ...(state?.document === document && state), document, locked });
  updateDescription();
}

/** Resets the state of the previous email. */
function reset() {
  cursor = undefined;
  markCursor();
  links.choose(undefined);
  heatMap.show(undefined, renderer.frame);
  scrollMail([0, 0]);
}

function handleFrame(frame: MailFrame) {
  listenTo(frame, {
    point: (node, at) => {
      const place = views.findSource(node, at);
      if (place) post({ type: 'reveal', ...place });
    },
    hover: (link) => links.hover(link),
    choose: (link, focused) => links.choose(link, focused),
    follow: (href) => {
      if (href.startsWith('#')) findAnchor(frame.document, href.slice(1)).scrollIntoView();
      else post({ type: 'openLink', href });
    },
    scroll: () => {
      heatMap.handleScroll();
      scheduleMarkUpdate();
      scrollDebouncer.run(() => {
        const view = renderer.frame?.window;
        if (view) saveState({ scroll: [view.scrollX, view.scrollY] });
      });
    },
  });
  heatMap.setFrame(frame);
}

function showHeat(heat: LinkHeat, turn: number) {
  const before = channel.getState()?.heat;
  const isNew = before?.turn !== turn;
  const chosen = isNew ? heat.selectedAddress : before.chosen;
  heatTurn = turn;
  heatMap.show({ ...heat, selectedAddress: chosen }, renderer.frame);
  if (isNew) heatMap.reveal();
  saveState({ heat: { turn, chosen } });
}

function saveState(change: Partial<PreviewPageState>) {
  const state = channel.getState();
  if (state) channel.setState({ ...state, ...change });
}

function scrollMail([x, y]: PreviewPageState['scroll']) {
  renderer.frame?.window.scrollTo(x, y);
}

function setToolbar(state: ToolbarState) {
  arrange(state);
  views.setToolbar(state);
  updateLayout();
  post({ type: 'toolbar', toolbar: state });
}

function arrange({ width, isInboxOpen }: ToolbarState) {
  stage.arrange(width);
  inbox.element.classList.toggle('open', isInboxOpen);
  unfoldButton.setAttribute('aria-expanded', String(isInboxOpen));
}

/** Updates marks after the next paint: measuring earlier would force a second layout. */
function scheduleMarkUpdate() {
  if (isMarkUpdateScheduled) return;
  isMarkUpdateScheduled = true;
  requestAnimationFrame(() => {
    setTimeout(() => {
      isMarkUpdateScheduled = false;
      stage.refresh();
      heatMap.refresh();
    });
  });
}

function markCursor() {
  const element = cursor === undefined ? undefined : views.elementAt(cursor);
  const marked = element && !/^(html|head|body)$/i.test(element.nodeName) ? element : undefined;
  stage.setMark(marked, needsReveal);
  if (element) needsReveal = false;
}

/** Does the slow updates that wait until the user pauses. */
function handleIdle() {
  markCursor();
  updateDescription();
  updateSize();
  const { frame } = renderer;
  remoteCount = frame && !toolbar.getState().remote ? countRemote(frame.document) : 0;
  notices.show('omitted', frame && pictures.describeOmitted(frame.document));
  updateLayout();
}

/** Shows either the email or its text part, and the notices on what it shows. */
function updateLayout() {
  const isText = views.isText();
  const remote = isText ? 0 : remoteCount;
  const remoteText = plural(remote, t('{0} remote image or font blocked'), t('{0} remote images or fonts blocked'));
  notices.show('remote', remote === 0 ? undefined : remoteText);
  stage.element.hidden = isText || views.isGrid();
  views.text.element.hidden = !isText;
  notices.show('note', views.getNote());
}

function showSize() {
  toolbar.showSize(views.getBytes(), describeAddedContent(renderer.html, viewer.language));
}

/** Updates the message size and the position where Gmail clips. */
function updateSize() {
  showSize();
  stage.setClip(views.getClipped());
}

function updateTags() {
  views.setTags(viewer.getReplacement());
  if (renderer.frame) updateDescription();
}

function updateDescription() {
  const { frame } = renderer;
  showSize();
  const title = frame?.document.title || content?.title || '';
  inbox.show(renderer.getEnvelope(), title, frame ? getSnippet(frame.document) : '');
  branches.show(viewer);
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
