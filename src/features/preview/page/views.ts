import { t } from '@vscode/l10n';
import { GMAIL_CLIP_BYTES, countUtf8Bytes } from '../../../email/compose/compose.ts';
import { applyChange, type Change } from '../../../email/html/text.ts';
import { getDisplayRefusal, getDisplayLength } from '../../../email/html/limits.ts';
import { normalizeSiteUrl, addTracking } from '../../../email/sent/replacements.ts';
import { mapSentOffsets, mapTextOffsets, type SentOffsetMap } from '../../../email/sent/offsetMap.ts';
import { findTextPartProblems, createTextPart } from '../../../email/sent/textPart.ts';
import { initialToolbar } from '../model.ts';
import type { Part, SendingService, ToolbarState, ToPage } from '../protocol.ts';
import type { PartPosition } from './composedHtml.ts';
import { createLensGrid, type GridEvents } from './grid.ts';
import type { Mail, Renderer } from './renderer.ts';
import { createTextView } from './textView.ts';
import type { ReplaceTags } from './viewer.ts';

/**
 * Switches between the authored and the sent version of an email, and maps their positions. `reveal` is called for clicks in the text part and in the
 * grid.
 */
export function createViews(
  renderer: Renderer,
  reveal: (place: PartPosition) => void,
  links: Pick<GridEvents, 'hover' | 'choose'>,
) {
  /** The authored email. */
  let mail: Mail = { body: '', stylesheet: '', scheme: 'light', remote: false };
  let toolbar: ToolbarState = initialToolbar;
  let note: string | undefined;
  let sent: { readonly html: string; readonly text: string } | undefined;
  let service: SendingService | undefined;
  let cachedOffsets:
    { readonly body: string; readonly html: string; readonly map: SentOffsetMap | undefined } | undefined;
  let trackedSize: { readonly html: string; readonly bytes: number } | undefined;
  let shownText = '';

  const grid = createLensGrid({
    ...links,
    point: (place) => {
      const found = toBody(place);
      if (found) reveal(found);
    },
  });
  const textView = createTextView((offset) => {
    const found = mapTextOffsets(mail.body, shownText)(offset);
    if (found !== undefined) reveal({ part: 'body', offset: found });
  });

  /** Whether the text part is shown instead of the email. */
  function isText() {
    return toolbar.view === 'text' && sent !== undefined;
  }

  /** Whether several lenses are shown side by side instead of the email. */
  function isGrid() {
    return toolbar.view === 'clients' && sent !== undefined;
  }

  /** A note about the limits of the current view, if any. */
  function getNote() {
    const { view } = toolbar;
    if (view === 'authored') return undefined;
    if (note) return note;
    if (service && !sent) return t("Couldn't compose the sent version. The preview shows the authored email.");
    if (service?.isAssumed) return t('The preview shows local files as AcyMailing 11 would send them.');
    if (service?.profile !== 'documented') return undefined;
    return view === 'text'
      ? t("Text preview isn't available for this service.")
      : t("This service doesn't document how it composes emails. The preview shows body and stylesheet as stored.");
  }

  /** Shows another email, whose sent version isn't composed yet. */
  function show(shown: Partial<Mail>, settings: ToolbarState) {
    mail = { ...mail, ...shown };
    sent = undefined;
    service = undefined;
    note = undefined;
    setToolbar(settings);
  }

  function setToolbar(settings: ToolbarState) {
    const { scheme, remote } = settings;
    toolbar = settings;
    set({ scheme, remote });
  }

  /** Sets how tags are replaced. `undefined` shows raw tags. */
  function setTags(replace: ReplaceTags | undefined) {
    if (renderer.frame && (replace || mail.replace)) set({ replace });
    else mail = { ...mail, replace };
  }

  /** Shows the email with other properties. */
  function set(change: Partial<Mail>) {
    mail = { ...mail, ...change };
    update();
  }

  /** Changes a part's text. Returns its new length. */
  function change(part: Part, changes: readonly Change[]) {
    const text = changes.reduce(applyChange, mail[part]);
    mail = { ...mail, [part]: text };
    if (!isShowingSent()) renderer.change(part, changes);
    return text.length;
  }

  function setSent(message: Extract<ToPage, { type: 'sent' }>) {
    const { html, text } = message;
    const before = sent;
    ({ service, note } = message);
    sent = html && text && { html: applyChange(before?.html ?? '', html), text: applyChange(before?.text ?? '', text) };
    if (toolbar.view === 'authored') return;
    if (!before || !sent) return update();
    if (html && isShowingSent()) renderer.change('body', [html]);
    showOthers();
  }

  /** Shows the email again, with pictures that have arrived. */
  function update() {
    const { view, lens } = toolbar;
    const sentMail = view === 'sent' && getSentMail();
    renderer.show(sentMail ? { ...sentMail, lens: lens === 'none' ? undefined : lens } : mail);
    showOthers();
  }

  /** Returns the shown element at an offset of the body. */
  function elementAt(offset: number) {
    const at = isShowingSent() ? getOffsets()?.toSent(offset) : offset;
    return at === undefined ? undefined : renderer.elementAt(at);
  }

  /** Returns the source position of a node. `at` is the offset in a text node. */
  function findSource(node: Node, at: number): PartPosition | undefined {
    const place = renderer.findSource(node, at);
    return isShowingSent() ? toBody(place) : place;
  }

  /** Size of the sent HTML in bytes, including tracked links. Without a sent version, the size of the authored HTML, or NaN if that says nothing. */
  function getBytes() {
    if (!sent) return note ? NaN : countUtf8Bytes(renderer.html);
    const { html } = sent;
    if (trackedSize?.html !== html) trackedSize = { html, bytes: countUtf8Bytes(addTrackedLinks(html)) };
    return trackedSize.bytes;
  }

  /** The shown element at which Gmail clips the message, if it does. */
  function getClipped() {
    if (!(getBytes() > GMAIL_CLIP_BYTES)) return undefined;
    if (!sent) return renderer.elementAtComposed(findClipOffset(renderer.html, countUtf8Bytes));
    const at = findClipOffset(sent.html, (html) => countUtf8Bytes(addTrackedLinks(html)));
    const shown = isShowingSent() ? at : getOffsets()?.toBody(at);
    return shown === undefined ? undefined : renderer.elementAt(shown);
  }

  function isShowingSent() {
    return toolbar.view === 'sent' && sent !== undefined;
  }

  /** The sent version as an email of its own. */
  function getSentMail(): Mail | undefined {
    return sent && { ...mail, body: sent.html, stylesheet: '', isWhole: true };
  }

  /** Converts a position in the sent version to one in the body. */
  function toBody(place: PartPosition | undefined): PartPosition | undefined {
    const offset = place && getOffsets()?.toBody(place.offset);
    return offset === undefined ? undefined : { part: 'body', offset };
  }

  /** Undefined if a text is too long or too complex to map. */
  function getOffsets() {
    const { body } = mail;
    const html = sent?.html ?? '';
    if (cachedOffsets?.body !== body || cachedOffsets.html !== html) {
      const isReadable = [body, html].every(
        (text) => getDisplayLength(text) === text.length && getDisplayRefusal(text) === undefined,
      );
      cachedOffsets = { body, html, map: isReadable ? mapSentOffsets(body, html) : undefined };
    }
    return cachedOffsets.map;
  }

  /** Shows the text part or the grid, if selected. */
  function showOthers() {
    grid.show(isGrid() ? getSentMail() : undefined);
    if (!isText() || !sent) return;
    const { replace } = mail;
    const site = normalizeSiteUrl(service?.site);
    const html = replace ? replace(sent.html, 'body').text : sent.html;
    shownText = replace && service?.profile === 'acymailing' ? createTextPart(html, site) : sent.text;
    textView.show(shownText, findTextPartProblems(html, site, shownText));
  }

  function addTrackedLinks(html: string) {
    const site = service?.profile === 'acymailing' ? normalizeSiteUrl(service.site) : undefined;
    return site === undefined ? html : addTracking(html, site);
  }

  return {
    text: textView,
    grid,
    isText,
    isGrid,
    getNote,
    show,
    setToolbar,
    setTags,
    set,
    change,
    setSent,
    update,
    elementAt,
    findSource,
    getBytes,
    getClipped,
  };
}

/** Returns the offset at which Gmail clips HTML. */
function findClipOffset(html: string, countBytes: (html: string) => number) {
  let [low, high] = [0, html.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (countBytes(html.slice(0, middle)) <= GMAIL_CLIP_BYTES) low = middle + 1;
    else high = middle;
  }
  return low;
}
