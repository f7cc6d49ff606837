import { t } from '@vscode/l10n';
import { GMAIL_CLIP_BYTES, countUtf8Bytes } from '../../../email/compose/compose.ts';
import { applyChange, type Change } from '../../../email/html/text.ts';
import { getDisplayRefusal, getDisplayLength } from '../../../email/html/limits.ts';
import { normalizeSiteUrl, addTracking } from '../../../email/sent/replacements.ts';
import { mapSentOffsets, mapTextOffsets, type SentOffsetMap } from '../../../email/sent/offsetMap.ts';
import { findTextPartProblems, createTextPart } from '../../../email/sent/textPart.ts';
import { make } from '../../../ui/page/dom.ts';
import { initialToolbar } from '../model.ts';
import type { Part, SendingService, ToolbarState, ToPage } from '../protocol.ts';
import type { PartPosition } from './composedHtml.ts';
import { LensGrid } from './grid.ts';
import { emptyMail, Renderer, type Mail, type RendererEvents } from './renderer.ts';
import { Stage } from './stage.ts';
import { TextView } from './textView.ts';
import type { ReplaceTags } from './viewer.ts';

/**
 * Switches between the authored and the sent version of an email, and maps their positions: all positions that it takes and reports are in the
 * authored parts. Exactly one of the email, its text part and the grid is visible.
 */
export class Views {
  readonly stage = new Stage();
  readonly renderer: Renderer;
  readonly #text: TextView;
  readonly #grid: LensGrid;
  readonly element: HTMLElement;
  /** The authored email. */
  #mail = emptyMail;
  #toolbar: ToolbarState = initialToolbar;
  #sent: { readonly html: string; readonly text: string } | undefined;
  #service: SendingService | undefined;
  #missing: string | undefined;
  #cachedOffsets: { readonly body: string; readonly html: string; readonly map: SentOffsetMap | undefined } | undefined;
  #trackedSize: { readonly html: string; readonly bytes: number } | undefined;
  #shownText = '';

  constructor(events: RendererEvents) {
    const point = (place: PartPosition | undefined) => events.point?.(this.#toBody(place));
    this.renderer = new Renderer(this.stage.device, {
      ...events,
      point: (place) => (this.#isSentShown ? point(place) : events.point?.(place)),
    });
    this.#grid = new LensGrid(point, events.links);
    this.#text = new TextView((at) => {
      const offset = mapTextOffsets(this.#mail.body, this.#shownText)(at);
      if (offset !== undefined) events.point?.({ part: 'body', offset });
    });
    this.#text.element.addEventListener('scroll', () => events.scroll?.());
    this.element = make('div.content', this.stage.element, this.#text.element, this.#grid.element);
  }

  /** Whether the text part is shown instead of the email. */
  get isText(): boolean {
    return this.#toolbar.view === 'text' && this.#sent !== undefined;
  }

  /** The element that scrolls the email or its text part. */
  get scrolled(): Element | null {
    return this.isText ? this.#text.element : (this.renderer.frame?.document.scrollingElement ?? null);
  }

  /** A note about the limits of the current view, if any. */
  get note(): string | undefined {
    const { view } = this.#toolbar;
    if (view === 'authored') return undefined;
    if (this.#missing) return this.#missing;
    if (this.#service && !this.#sent)
      return t("Couldn't compose the sent version. The preview shows the authored email.");
    if (this.#service?.isAssumed) return t('The preview shows local files as AcyMailing 11 would send them.');
    if (this.#service?.profile !== 'documented') return undefined;
    return view === 'text'
      ? t("Text preview isn't available for this service.")
      : t("This service doesn't document how it composes emails. The preview shows body and stylesheet as stored.");
  }

  /** Removes the email, and shows a placeholder until the next one. */
  clear(): void {
    this.element.ariaBusy = 'true';
    this.renderer.clear();
    this.#mail = { ...emptyMail, replace: this.#mail.replace };
    this.#sent = this.#service = this.#missing = undefined;
    this.#showOthers();
  }

  /** Shows an email, whose sent version isn't composed yet. */
  show(mail: Partial<Mail>, toolbar: ToolbarState): void {
    this.element.ariaBusy = null;
    this.#mail = { ...this.#mail, ...mail };
    this.#sent = this.#service = this.#missing = undefined;
    this.setToolbar(toolbar);
  }

  setToolbar(toolbar: ToolbarState): void {
    const { width, scheme, remote } = toolbar;
    this.#toolbar = toolbar;
    this.stage.arrange(width);
    this.set({ scheme, remote });
  }

  /** Sets how tags are replaced. `undefined` shows raw tags. */
  setTags(replace: ReplaceTags | undefined): void {
    if (this.renderer.frame && (replace || this.#mail.replace)) this.set({ replace });
    else this.#mail = { ...this.#mail, replace };
  }

  /** Shows the email with other properties. */
  set(change: Partial<Mail>): void {
    this.#mail = { ...this.#mail, ...change };
    this.update();
  }

  /** Changes a part's text. Returns its new length. */
  change(part: Part, changes: readonly Change[]): number {
    const text = changes.reduce(applyChange, this.#mail[part]);
    this.#mail = { ...this.#mail, [part]: text };
    if (!this.#isSentShown) this.renderer.change(this.#mail, part, changes);
    return text.length;
  }

  setSent({ service, note, html, text }: Omit<Extract<ToPage, { type: 'sent' }>, 'type'>): void {
    const before = this.#sent;
    this.#service = service;
    this.#missing = note;
    this.#sent = html &&
      text && { html: applyChange(before?.html ?? '', html), text: applyChange(before?.text ?? '', text) };
    if (this.#toolbar.view === 'authored') return;
    if (!before || !this.#sent) return this.update();
    if (html && this.#isSentShown) this.renderer.change(this.#shownMail, 'body', [html]);
    this.#showOthers();
  }

  /** Shows the email again, with pictures that have arrived. */
  update(): void {
    if (this.element.ariaBusy) return;
    this.renderer.show(this.#shownMail);
    this.#showOthers();
  }

  /** Returns the shown element at an offset of the body. */
  elementAt(offset: number): Element | undefined {
    const at = this.#isSentShown ? this.#offsets?.toSent(offset) : offset;
    return at === undefined ? undefined : this.renderer.elementAt(at);
  }

  /** Size of the sent HTML in bytes, including tracked links. Without a sent version, the size of the authored HTML, or NaN if that says nothing. */
  get bytes(): number {
    if (!this.#sent) return this.#missing ? NaN : countUtf8Bytes(this.renderer.html);
    const { html } = this.#sent;
    if (this.#trackedSize?.html !== html) this.#trackedSize = { html, bytes: this.#countTracked(html) };
    return this.#trackedSize.bytes;
  }

  /** Marks where Gmail clips the message, if it does. */
  markClip(): void {
    this.stage.setClip(this.bytes > GMAIL_CLIP_BYTES ? this.#findClipped() : undefined);
  }

  #findClipped() {
    const { html } = this.#sent ?? {};
    if (html === undefined) return this.renderer.elementAtComposed(findClipOffset(this.renderer.html, countUtf8Bytes));
    const at = findClipOffset(html, (start) => this.#countTracked(start));
    const shown = this.#isSentShown ? at : this.#offsets?.toBody(at);
    return shown === undefined ? undefined : this.renderer.elementAt(shown);
  }

  get #isSentShown() {
    return this.#toolbar.view === 'sent' && this.#sent !== undefined;
  }

  /** The sent version as an email of its own. */
  get #sentMail(): Mail | undefined {
    return this.#sent && { ...this.#mail, body: this.#sent.html, stylesheet: '', isWhole: true };
  }

  get #shownMail(): Mail {
    const { view, lens } = this.#toolbar;
    const sent = view === 'sent' && this.#sentMail;
    return sent ? { ...sent, lens: lens === 'none' ? undefined : lens } : this.#mail;
  }

  /** Converts a position in the sent version to one in the body. */
  #toBody(place: PartPosition | undefined): PartPosition | undefined {
    const offset = place && this.#offsets?.toBody(place.offset);
    return offset === undefined ? undefined : { part: 'body', offset };
  }

  /** Undefined if a text is too long or too complex to map. */
  get #offsets() {
    const { body } = this.#mail;
    const html = this.#sent?.html ?? '';
    if (this.#cachedOffsets?.body !== body || this.#cachedOffsets.html !== html) {
      const isReadable = [body, html].every(
        (text) => getDisplayLength(text) === text.length && getDisplayRefusal(text) === undefined,
      );
      this.#cachedOffsets = { body, html, map: isReadable ? mapSentOffsets(body, html) : undefined };
    }
    return this.#cachedOffsets.map;
  }

  /** Shows the text part or the grid, if selected. */
  #showOthers() {
    const { isText } = this;
    const grid = this.#toolbar.view === 'clients' ? this.#sentMail : undefined;
    this.stage.element.hidden = isText || grid !== undefined;
    this.#text.element.hidden = !isText;
    this.#grid.show(grid);
    if (!isText || !this.#sent) return;
    const { replace } = this.#mail;
    const site = normalizeSiteUrl(this.#service?.site);
    const html = replace ? replace(this.#sent.html, 'body').text : this.#sent.html;
    this.#shownText = replace && this.#service?.profile === 'acymailing' ? createTextPart(html, site) : this.#sent.text;
    this.#text.show(this.#shownText, findTextPartProblems(html, site, this.#shownText));
  }

  #countTracked(html: string) {
    const site = this.#service?.profile === 'acymailing' ? normalizeSiteUrl(this.#service.site) : undefined;
    return countUtf8Bytes(site === undefined ? html : addTracking(html, site));
  }
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
