import { GMAIL_CLIP_BYTES, countUtf8Bytes } from '../../../email/compose/compose.ts';
import type { Envelope } from '../../../email/compose/compose.ts';
import { applyChange } from '../../../email/html/text.ts';
import type { Change } from '../../../email/html/text.ts';
import { getDisplayRefusal, getDisplayLength } from '../../../email/html/limits.ts';
import { lenses } from '../../../email/lenses/index.ts';
import { normalizeSiteUrl, addTracking } from '../../../email/sent/replacements.ts';
import { mapSentOffsets, mapTextOffsets } from '../../../email/sent/offsetMap.ts';
import type { SentOffsetMap } from '../../../email/sent/offsetMap.ts';
import { findTextPartProblems, createTextPart } from '../../../email/sent/textPart.ts';
import { initialToolbar } from '../model.ts';
import type { Part, SendingService, ToolbarState, ToPage } from '../protocol.ts';
import type { PartPosition } from './composedHtml.ts';
import { LensGrid } from './grid.ts';
import type { GridEvents } from './grid.ts';
import type { Mail, Renderer } from './renderer.ts';
import { TextView } from './textView.ts';
import type { ReplaceTags } from './viewer.ts';

/** Switches between the authored and the sent version of an email, and maps their positions. */
export class Views {
  readonly text: TextView;
  readonly grid: LensGrid;
  readonly #renderer: Renderer;
  /** The authored email. */
  #mail: Mail = { body: '', stylesheet: '', scheme: 'light', remote: false };
  #toolbar: ToolbarState = initialToolbar;
  #sent: { readonly html: string; readonly text: string } | undefined;
  #service: SendingService | undefined;
  #cachedOffsets: { readonly body: string; readonly html: string; readonly map: SentOffsetMap | undefined } | undefined;
  #trackedSize: { readonly html: string; readonly bytes: number } | undefined;
  #shownText = '';

  /** `reveal` is called for clicks in the text part and in the grid. */
  constructor(renderer: Renderer, reveal: (place: PartPosition) => void, links: Pick<GridEvents, 'hover' | 'choose'>) {
    this.#renderer = renderer;
    this.grid = new LensGrid({
      hover: (link) => links.hover(link),
      choose: (link) => links.choose(link),
      point: (place) => {
        const found = this.#toBody(place);
        if (found) reveal(found);
      },
    });
    this.text = new TextView((offset) => {
      const found = mapTextOffsets(this.#mail.body, this.#shownText)(offset);
      if (found !== undefined) reveal({ part: 'body', offset: found });
    });
  }

  /** Whether the text part is shown instead of the email. */
  get isText(): boolean {
    return this.#toolbar.view === 'text' && this.#sent !== undefined;
  }

  /** Whether several lenses are shown side by side instead of the email. */
  get isGrid(): boolean {
    return this.#toolbar.grid && this.#isShowingSent;
  }

  /** A note about the limits of the current view, if any. */
  get note(): string | undefined {
    const { view, lens } = this.#toolbar;
    if (view === 'authored') return undefined;
    if (this.#service && !this.#sent)
      return 'What is sent could not be worked out: the email is shown as it was written.';
    if (this.isGrid) return 'Approximations, each with its source in its tooltip.';
    if (this.#isShowingSent && lens !== 'none') {
      const { note, source, date } = lenses[lens];
      return `${note} An approximation: ${source}, ${date}.`;
    }
    if (this.#service?.isAssumed) return 'This file belongs to no service: it is shown as AcyMailing 11 would send it.';
    if (this.#service?.profile !== 'documented') return undefined;
    return view === 'text'
      ? 'The service’s document doesn’t tell what it makes of an email: nothing is known of a text part.'
      : 'The service’s document doesn’t tell what it makes of an email: stylesheet and body are shown as they are stored.';
  }

  /** Shows another email, whose sent version isn't composed yet. */
  show(mail: Partial<Mail>, toolbar: ToolbarState): void {
    this.#mail = { ...this.#mail, ...mail };
    this.#sent = undefined;
    this.#service = undefined;
    this.setToolbar(toolbar);
  }

  setToolbar(toolbar: ToolbarState): void {
    const { scheme, remote } = toolbar;
    this.#toolbar = toolbar;
    this.#mail = { ...this.#mail, scheme, remote };
    this.update();
  }

  setEnvelope(envelope: Envelope | undefined): void {
    this.#mail = { ...this.#mail, envelope };
    this.update();
  }

  /** Sets how tags are replaced. `undefined` shows raw tags. */
  setTags(replace: ReplaceTags | undefined): void {
    if (!replace && !this.#mail.replace) return;
    this.#mail = { ...this.#mail, replace };
    if (this.#renderer.frame) this.update();
  }

  /** Changes a part's text. Returns its new length. */
  change(part: Part, changes: readonly Change[]): number {
    const text = changes.reduce(applyChange, this.#mail[part]);
    this.#mail = { ...this.#mail, [part]: text };
    if (!this.#isShowingSent) this.#renderer.change(part, changes);
    return text.length;
  }

  setSent({ service, html, text }: Extract<ToPage, { type: 'sent' }>): void {
    const before = this.#sent;
    this.#service = service;
    this.#sent = html &&
      text && { html: applyChange(before?.html ?? '', html), text: applyChange(before?.text ?? '', text) };
    if (this.#toolbar.view === 'authored') return;
    if (!before || !this.#sent) return this.update();
    if (html && this.#isShowingSent) this.#renderer.change('body', [html]);
    this.#showOthers();
  }

  /** Shows the email again, with pictures that have arrived. */
  update(): void {
    const { view, lens } = this.#toolbar;
    const sent = view === 'sent' && this.#sentMail;
    this.#renderer.show(sent ? { ...sent, lens: lens === 'none' ? undefined : lens } : this.#mail);
    this.#showOthers();
  }

  /** Returns the shown element at an offset of the body. */
  elementAt(offset: number): Element | undefined {
    const at = this.#isShowingSent ? this.#offsets?.toSent(offset) : offset;
    return at === undefined ? undefined : this.#renderer.elementAt(at);
  }

  /** Returns the source position of a node. `at` is the offset in a text node. */
  findSource(node: Node, at: number): PartPosition | undefined {
    const place = this.#renderer.findSource(node, at);
    return this.#isShowingSent ? this.#toBody(place) : place;
  }

  /** Size of the sent HTML in bytes, including tracked links. Without a sent version, the size of the authored HTML. */
  get bytes(): number {
    if (!this.#sent) return countUtf8Bytes(this.#renderer.html);
    const { html } = this.#sent;
    if (this.#trackedSize?.html !== html) this.#trackedSize = { html, bytes: countUtf8Bytes(this.#addTracking(html)) };
    return this.#trackedSize.bytes;
  }

  /** The shown element at which Gmail clips the message, if it does. */
  get clipped(): Element | undefined {
    if (this.bytes <= GMAIL_CLIP_BYTES) return undefined;
    if (!this.#sent) return this.#renderer.elementAtComposed(getClipOffset(this.#renderer.html));
    const at = this.#findSentClipOffset(this.#sent.html);
    const shown = this.#isShowingSent ? at : this.#offsets?.toBody(at);
    return shown === undefined ? undefined : this.#renderer.elementAt(shown);
  }

  get #isShowingSent(): boolean {
    return this.#toolbar.view === 'sent' && this.#sent !== undefined;
  }

  /** The sent version as an email of its own. */
  get #sentMail(): Mail | undefined {
    return this.#sent && { ...this.#mail, body: this.#sent.html, stylesheet: '', isWhole: true };
  }

  /** Converts a position in the sent version to one in the body. */
  #toBody(place: PartPosition | undefined): PartPosition | undefined {
    const offset = place && this.#offsets?.toBody(place.offset);
    return offset === undefined ? undefined : { part: 'body', offset };
  }

  /** Undefined if a text is too long or too complex to map. */
  get #offsets(): SentOffsetMap | undefined {
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
  #showOthers(): void {
    this.grid.show(this.isGrid ? this.#sentMail : undefined);
    if (!this.isText || !this.#sent) return;
    const { replace } = this.#mail;
    const site = normalizeSiteUrl(this.#service?.site);
    const html = replace ? replace(this.#sent.html, 'body').text : this.#sent.html;
    this.#shownText = replace && this.#service?.profile === 'acymailing' ? createTextPart(html, site) : this.#sent.text;
    this.text.show(this.#shownText, findTextPartProblems(html, site, this.#shownText));
  }

  #addTracking(html: string): string {
    const site = this.#service?.profile === 'acymailing' ? normalizeSiteUrl(this.#service.site) : undefined;
    return site === undefined ? html : addTracking(html, site);
  }

  /** Returns the offset in the sent HTML at which Gmail clips, including tracked links. */
  #findSentClipOffset(html: string): number {
    const fits = (length: number): boolean =>
      countUtf8Bytes(this.#addTracking(html.slice(0, length))) <= GMAIL_CLIP_BYTES;
    let [low, high] = [0, html.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (fits(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Returns the offset of the last character within Gmail's limit. */
function getClipOffset(html: string): number {
  return new TextEncoder().encodeInto(html, new Uint8Array(GMAIL_CLIP_BYTES)).read;
}
