import { t } from '@vscode/l10n';
import { getDisplayRefusal, getDisplayLength, getStyleDisplayLength } from '../../../email/html/limits.ts';
import { getStyleRefusal } from '../../../email/html/nesting.ts';
import { parseSource } from '../../../email/html/sourceMap.ts';
import { formatNumber } from '../../../l10n.ts';
import { escapeHtml, type Envelope } from '../../../email/compose/compose.ts';
import { ComposedHtml, type PartPosition } from './composedHtml.ts';
import { Debouncer } from '../../../ui/async.ts';
import { getFramePolicy, openFrame, prepareDocument, serializeDoctype, type MailFrame } from './frame.ts';
import { editInPlace } from './inPlace.ts';
import { patchTree } from './patch.ts';
import { insertPictures, type FindPicture } from './pictures.ts';
import { applyChange, type Change } from '../../../email/html/text.ts';
import { applyLens, type LensName } from '../../../email/lenses/index.ts';
import { createRenderedText, type RenderedText } from './renderedText.ts';
import type { Part } from '../protocol.ts';
import { SchemeResolver, type Scheme } from './scheme.ts';
import type { ReplaceTags } from './viewer.ts';
import { SourceIndex } from './sourceIndex.ts';

/** An email, and how it is shown. */
export interface Mail {
  readonly body: string;
  readonly stylesheet: string;
  readonly envelope?: Envelope;
  /** The body is the complete sent document, so nothing is inserted into it. */
  readonly isWhole?: boolean;
  readonly scheme: Scheme;
  readonly remote: boolean;
  /** Base of relative addresses, and the folder that they may refer to. */
  readonly base?: string;
  readonly root?: string;
  /** Finds the pictures in that folder. */
  readonly picture?: FindPicture;
  /** Replaces tags for a person. Absent to show raw tags. */
  readonly replace?: ReplaceTags;
  readonly lens?: LensName;
}

/** Receives changes of the rendered email. */
interface RendererEvents {
  /** A new frame was opened, without event listeners. */
  onFrame?(frame: MailFrame): void;
  /** The shown email changed. */
  onRender?(): void;
  /** The email can't be shown, or only in part. `undefined` once it can. The last email that could be shown stays. */
  onProblem?(message: string | undefined): void;
  /** No change for a while: slow updates can run. */
  onIdle?(): void;
}

/** Characters shown of a text that can't be rendered as an email. */
const FALLBACK_TEXT_CHARS = 20_000;
/** Longer insertions are parsed again, after a check of their size. */
const MAX_IN_PLACE_CHARS = 1000;
/** Delay before the source index is rebuilt. */
const INDEX_DEBOUNCE_MS = 120;
/** Delay before incrementally updated layers are rendered again, long enough for slow typing. */
const REFRESH_DEBOUNCE_MS = 1000;
/** Delay before a truncated email is rendered again. */
const LONG_RENDER_DEBOUNCE_MS = 400;

export type Renderer = ReturnType<typeof createRenderer>;

/** Renders an email and applies changes of its texts. */
export function createRenderer(stage: HTMLElement, events: RendererEvents) {
  const schemeResolver = new SchemeResolver();
  let mail: Mail = { body: '', stylesheet: '', scheme: 'light', remote: false };
  /** Transformations of the body, each applied to the previous one: replaced tags, then the lens. */
  let layers: readonly RenderedText[] = [];
  let composed = new ComposedHtml(mail);
  let index: SourceIndex | undefined;
  let frame: MailFrame | undefined;
  let frameKey = '';
  /** Set if a part is too long to be shown completely. */
  let truncation: string | undefined;
  /** Whether the current text can't be shown, and the last one that could is. */
  let isRefused = false;
  const idleDebouncer = new Debouncer(INDEX_DEBOUNCE_MS);
  const refreshDebouncer = new Debouncer(REFRESH_DEBOUNCE_MS);
  const renderDebouncer = new Debouncer(LONG_RENDER_DEBOUNCE_MS);

  /** Subject, preheader and sender, with replaced tags if the body has them. */
  function getEnvelope() {
    const { envelope, replace } = mail;
    if (!envelope || !replace) return envelope;
    return {
      ...envelope,
      subject: replace(envelope.subject, 'subject').text,
      preheader: replace(envelope.preheader, 'preheader').text,
    };
  }

  function show(shownMail: Mail) {
    mail = shownMail;
    const { body, replace, lens } = mail;
    const tags = replace && createRenderedText(body, (text) => replace(text, 'body'));
    const shown = lens && createRenderedText(tags?.getText() ?? body, (text) => applyLens(lens, text), false);
    layers = [tags, shown].filter((layer) => layer !== undefined);
    render();
  }

  function change(part: Part, changes: readonly Change[]) {
    let isInPlace = true;
    for (const each of changes) {
      const shown = part === 'body' ? layers.reduce((made, layer) => layer.change(made), each) : each;
      isInPlace = isInPlace && tryInPlace(part, shown);
      mail = { ...mail, [part]: applyChange(mail[part], each) };
    }
    if (isInPlace) {
      if (part === 'stylesheet') applyScheme();
      handleRendered();
    } else if (truncation === undefined) {
      render();
    } else {
      renderDebouncer.run(render);
    }
  }

  /** Returns the element at an offset of the body. */
  function elementAt(offset: number) {
    const shown = layers.reduce((place, layer) => layer.toRendered(place), offset);
    const at = composed.toComposed('body', shown);
    return at === undefined ? undefined : elementAtComposed(at);
  }

  /** Returns the element at an offset of the composed text. */
  function elementAtComposed(at: number) {
    const node = index?.find(at)?.node;
    return (node?.nodeType === Node.ELEMENT_NODE ? (node as Element) : node?.parentElement) ?? undefined;
  }

  /** Returns the source position of a node. `at` is the offset in a text node. */
  function findSource(node: Node, at = 0): PartPosition | undefined {
    buildIndex();
    const entry = index?.findNearest(node);
    if (!entry) return undefined;
    const { start, end } = entry.range;
    const isText = entry.node === node && node.nodeType === Node.TEXT_NODE;
    const place = composed.toPart(isText ? start + toRawOffset(composed.html.slice(start, end), at) : start);
    if (place?.part !== 'body') return place;
    return { part: 'body', offset: layers.reduceRight((offset, layer) => layer.toSource(offset), place.offset) };
  }

  function tryInPlace(part: Part, { offset, length, text }: Change) {
    // A large paste may exceed what a browser can handle, so it is checked as a whole.
    if (!index || truncation !== undefined || text.length > MAX_IN_PLACE_CHARS) return false;
    const range = composed.toComposedRange(part, offset, length);
    if (!range || !editInPlace(index, composed.html, { ...range, text })) return false;
    composed.replace(part, range, text);
    // An empty stylesheet is not sent, so the document must be composed again.
    return part !== 'stylesheet' || text.trim() !== '';
  }

  /** Composes as much of the email as the browser can handle. */
  function compose() {
    const { body: source, stylesheet, isWhole } = mail;
    const body = layers.at(-1)?.getText() ?? source;
    const [bodyLength, styleLength] = [getDisplayLength(body), getStyleDisplayLength(stylesheet)];
    truncation =
      formatTruncation('body', body.length, bodyLength) ??
      formatTruncation('stylesheet', stylesheet.length, styleLength);
    return new ComposedHtml({
      body: body.slice(0, bodyLength),
      stylesheet: stylesheet.slice(0, styleLength),
      envelope: getEnvelope(),
      isWhole,
    });
  }

  function render() {
    renderDebouncer.dispose();
    index = undefined;
    try {
      composed = compose();
      const tags = getDisplayRefusal(composed.html);
      const fresh = tags === undefined ? prepareDocument(composed.html, mail) : undefined;
      const refusal = tags ?? (fresh && findStyleRefusal(fresh));
      isRefused = refusal !== undefined;
      if (fresh && !isRefused) {
        draw(fresh);
      } else if (!frame) {
        const text = escapeHtml(mail.body.slice(0, FALLBACK_TEXT_CHARS));
        draw(prepareDocument(`<pre>${text}</pre>`, mail));
      }
      events.onProblem?.(refusal ?? truncation);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      events.onProblem?.(t`Couldn't show the email: ${reason}`);
    }
    handleRendered();
  }

  function draw(fresh: Document) {
    const { picture, remote, root, base } = mail;
    if (picture) insertPictures(fresh, picture);
    const doctype = serializeDoctype(fresh);
    const policy = getFramePolicy(remote, root ?? base);
    const key = `${doctype}\n${policy}`;
    const old = frame;
    const isNew = !old || frameKey !== key;
    const next = isNew ? openFrame(stage, doctype, policy) : old;
    frame = next;
    frameKey = key;
    patchTree(next.document.documentElement, fresh.documentElement);
    applyScheme();
    if (!isNew) return;
    if (old) next.window.scrollTo(old.window.scrollX, old.window.scrollY);
    old?.element.remove();
    events.onFrame?.(next);
  }

  function applyScheme() {
    if (frame) schemeResolver.apply(frame.document, mail.scheme);
  }

  function handleRendered() {
    idleDebouncer.run(() => runWhenIdle(verify));
    refreshDebouncer.dispose();
    if (layers.length > 0)
      refreshDebouncer.run(() =>
        runWhenIdle(() => {
          layers.reduce((text, layer) => layer.refresh(text), mail.body);
          verify();
        }),
      );
    events.onRender?.();
  }

  /** Composes the email again in case an edit in place moved the position where a part is inserted. */
  function verify() {
    if (index && compose().html !== composed.html) render();
    // An edit in place may have added pictures.
    const { picture } = mail;
    if (picture && frame && insertPictures(frame.document, picture)) applyScheme();
    buildIndex();
    events.onIdle?.();
  }

  function buildIndex() {
    if (index || !frame || isRefused) return;
    index = new SourceIndex(parseSource(composed.html), frame.document);
  }

  return {
    get frame() {
      return frame;
    },
    /** The composed document, truncated if it is too long. */
    get html() {
      return composed.html;
    },
    getEnvelope,
    show,
    change,
    elementAt,
    elementAtComposed,
    findSource,
  };
}

const runWhenIdle = (work: () => void) => requestIdleCallback(work, { timeout: 500 });

/** Returns why the styles of a document can't be shown, or undefined if they can. */
function findStyleRefusal(document: Document) {
  for (const element of document.querySelectorAll('style, [style], [media]')) {
    const content = element.localName === 'style' ? element.textContent : '';
    for (const text of [content, element.getAttribute('style'), element.getAttribute('media')]) {
      const refusal = text && getStyleRefusal(text);
      if (refusal) return refusal;
    }
  }
  return undefined;
}

function formatTruncation(part: Part, length: number, shown: number) {
  if (shown === length) return undefined;
  const size = formatNumber(Math.round((length / 1024 / 1024) * 10) / 10);
  const shownSize = formatNumber(Math.floor(shown / 1024));
  return part === 'body'
    ? t`The body is ${size} MB. The preview shows its first ${shownSize} KB.`
    : t`The stylesheet is ${size} MB. The preview shows its first ${shownSize} KB.`;
}

/** Converts an offset in decoded text to one in its source. A character reference is one character (seldom two). */
function toRawOffset(raw: string, at: number) {
  const token = /&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);?|\r\n|[^]/giy;
  let end = 0;
  for (let count = 0; count < at && token.test(raw); count += 1) end = token.lastIndex;
  return end;
}
