import { icon, make } from '../../../platform/webview/dom.ts';
import type { Edits } from '../../../platform/webview/form/edits.ts';
import type { Field } from '../../../platform/webview/form/fields.ts';
import { icons } from '../../../platform/webview/icons.ts';
import { inSeconds, isDelayUnit } from '../model.ts';
import type { MailCard } from '../protocol.ts';
import { amountOf, inUnits } from './delays.ts';
import { MailRow, type MailEntry } from './mailRow.ts';

/** The sequence as it happens: what starts it, each wait and mail, and what comes after the last one. */
export class Timeline {
  readonly element: HTMLElement;
  readonly #edits: Edits;
  readonly #run: (command: 'editMail' | 'deleteMail', id: number) => void;
  readonly #trigger = make('span', { class: 'name' });
  readonly #end = make('span', { class: 'name' });
  readonly #endWait = make('div', { class: 'gap' });
  readonly #endStep = make(
    'li',
    { class: 'step end' },
    this.#endWait,
    make('div', { class: 'milestone' }, icon(icons.loop), this.#end),
  );
  readonly #list: HTMLElement;
  readonly #empty = make('p', { class: 'hint', hidden: '' }, 'No mails yet: “Attach Mail…” adds the first one.');
  /** By the mail's id and its place in the text. */
  #rows = new Map<string, MailRow>();
  #cards: ReadonlyMap<number, MailCard> = new Map();
  #entries: readonly MailEntry[] = [];
  #isRecord = false;
  #enabled = true;

  constructor(edits: Edits, run: (command: 'editMail' | 'deleteMail', id: number) => void) {
    this.#edits = edits;
    this.#run = run;
    const start = make(
      'li',
      { class: 'step start' },
      make('div', { class: 'milestone' }, icon(icons.bolt), this.#trigger),
    );
    this.#list = make('ol', { class: 'timeline' }, start, this.#endStep);
    this.element = make('div', {}, this.#list, this.#empty);
    // While a delay is typed its mail stays where it is: it moves once it is left.
    this.#list.addEventListener('focusout', () => setTimeout(() => this.#order()));
  }

  get fields(): readonly Field[] {
    return [...this.#rows.values()].flatMap(({ fields }) => fields);
  }

  begin(isRecord: boolean): void {
    this.#isRecord = isRecord;
    this.#show();
  }

  /** What is known of the mails beside their delays. */
  know(cards: readonly MailCard[]): void {
    this.#cards = new Map(cards.map((card) => [card.id, card]));
    this.#show();
  }

  allow(enabled: boolean): void {
    this.#enabled = enabled;
    for (const row of this.#rows.values()) row.allow(enabled);
  }

  /** Shows the sequence of the details. `trigger` in words. */
  arrange(details: Readonly<Record<string, unknown>>, trigger: string): void {
    this.#trigger.textContent = trigger;
    this.#entries = entriesOf(details['mails']);
    const rows = new Map<string, MailRow>();
    for (const entry of this.#entries) {
      const key = `${entry.id}/${entry.index}`;
      const row = this.#rows.get(key) ?? new MailRow(entry, this.#edits, this.#run);
      row.allow(this.#enabled);
      rows.set(key, row);
    }
    for (const [key, row] of this.#rows) if (!rows.has(key)) row.element.remove();
    this.#rows = rows;
    this.#show();
    this.#showEnd(details);
    this.#order();
  }

  #show(): void {
    for (const entry of this.#entries)
      this.#rows.get(`${entry.id}/${entry.index}`)?.show(entry, this.#cards.get(entry.id), this.#isRecord);
    this.#empty.hidden = this.#entries.length > 0;
  }

  #showEnd({ loop, loop_delay: delay }: Readonly<Record<string, unknown>>): void {
    const isLoop = loop === 1;
    const { value, unit } = inUnits(typeof delay === 'number' ? delay : 0);
    this.#endStep.classList.toggle('once', !isLoop);
    this.#endWait.replaceChildren(
      make('span', { class: 'wait' }, isLoop && value > 0 ? `+ ${amountOf(value, unit)}` : ''),
    );
    this.#end.textContent = isLoop ? 'Can be triggered again' : 'Ends';
  }

  /** Puts the mails in the order of their delays. */
  #order(): void {
    const { activeElement } = document;
    const isTyping =
      activeElement instanceof HTMLElement &&
      activeElement.localName === 'vscode-text-field' &&
      this.#list.contains(activeElement);
    const ordered = this.#entries.toSorted((one, other) => lengthOf(one) - lengthOf(other) || one.index - other.index);
    const rows = ordered.flatMap(({ id, index }) => this.#rows.get(`${id}/${index}`)?.element ?? []);
    const placed = [...this.#list.querySelectorAll('li.mail')];
    const isInOrder = rows.length === placed.length && rows.every((row, at) => row === placed[at]);
    if (isInOrder || (isTyping && rows.every((row) => placed.includes(row)))) return;
    const focused =
      activeElement instanceof HTMLElement && this.#list.contains(activeElement) ? activeElement : undefined;
    for (const row of rows) this.#list.insertBefore(row, this.#endStep);
    focused?.focus();
  }
}

function entriesOf(mails: unknown): readonly MailEntry[] {
  if (!Array.isArray(mails)) return [];
  return mails.flatMap((mail: unknown, index): MailEntry[] => {
    if (typeof mail !== 'object' || mail === null || !('mail_id' in mail) || typeof mail.mail_id !== 'number')
      return [];
    const { delay, delay_unit } = mail as { readonly delay?: unknown; readonly delay_unit?: unknown };
    return [{ index, id: mail.mail_id, delay, delay_unit }];
  });
}

/** Seconds; what is no delay comes last. */
function lengthOf({ delay, delay_unit: unit }: MailEntry): number {
  const isDelay = typeof delay === 'number' && (typeof unit === 'number' || isDelayUnit(unit));
  return isDelay ? inSeconds({ delay, delay_unit: unit }) : Number.MAX_SAFE_INTEGER;
}
