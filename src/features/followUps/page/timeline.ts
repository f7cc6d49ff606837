import { t } from '../../../l10n.ts';
import { icon, make } from '../../../ui/page/dom.ts';
import type { Details } from '../../../ui/page/form/protocol.ts';
import { createPair, DropdownChoice, TextInput, type Field } from '../../../ui/page/form/fields.ts';
import { icons } from '../../../ui/page/icons.ts';
import { delayUnitLabels, delayUnits, isDelayUnit, readMailEntries, toSeconds, type MailEntry } from '../model.ts';
import type { MailCard } from '../protocol.ts';
import { formatAmountWithUnit, toLoopAmount } from './loop.ts';
import { makeButton, type ButtonElement } from '../../../ui/page/toolkit.ts';

type RunMailCommand = (command: 'editMail' | 'deleteMail', id: number) => void;

/** One step of the sequence: a delay and the mail that is sent after it. Without the mail's text, neither can ever be edited. */
class MailRow {
  readonly element: HTMLElement;
  readonly #id: number;
  readonly #fields: readonly [Field, Field];
  readonly #delay = make('span.wait');
  readonly #title = make('span.name');
  readonly #subject = make('span.subject');
  readonly #sentNote = make('p.hint');
  readonly #editButton: ButtonElement;
  readonly #deleteButton: ButtonElement;
  readonly #actions: HTMLElement;

  constructor({ index, id }: MailEntry, run: RunMailCommand) {
    this.#id = id;
    const delayOptions = { inputMode: 'numeric', class: 'number', read: parseWholeNumber } as const;
    const units = delayUnits.map((value) => ({ value, label: delayUnitLabels()[value] }));
    this.#fields = [
      new TextInput(['mails', index, 'delay'], t('Delay'), delayOptions),
      new DropdownChoice(['mails', index, 'delay_unit'], t('Unit'), units),
    ];
    this.#editButton = makeButton(t('Edit'), () => run('editMail', id));
    this.#deleteButton = makeButton(t('Delete…'), () => run('deleteMail', id));
    this.#actions = make('div.actions', this.#editButton, this.#deleteButton);
    const head = make('div.head', make('div.title', this.#title, this.#subject), this.#actions);
    const pair = createPair(...this.#fields);
    pair.classList.add('rhythm');
    const gap = make('div.gap', this.#delay);
    this.element = make('li.step.mail', { 'data-mail': id }, gap, make('div.card', head, pair, this.#sentNote));
  }

  show(
    { delay, delay_unit: unit }: MailEntry,
    mail: MailCard | undefined,
    isRecord: boolean,
    isEnabled: boolean,
  ): void {
    this.#delay.textContent = delay === 0 ? t('immediately') : `+ ${formatAmountWithUnit(delay, unit)}`;
    const { name = t`Email #${this.#id}`, subject = name, sentText } = mail ?? {};
    this.#title.textContent = name;
    this.#subject.textContent = subject === name ? '' : subject;
    const editLabel = sentText === undefined ? t('Supply Text…') : t('Edit');
    this.#editButton.textContent = editLabel;
    this.#editButton.setAttribute('aria-label', `${editLabel} ${name}`);
    this.#deleteButton.setAttribute('aria-label', t`Delete ${name}…`);
    this.#editButton.disabled = this.#deleteButton.disabled = !isEnabled;
    this.#actions.hidden = this.#sentNote.hidden = !isRecord;
    const isEditable = sentText !== undefined || !isRecord;
    this.element.classList.toggle('uneditable', !isEditable);
    for (const field of this.#fields) field.setEnabled(isEnabled && isEditable);
    this.#sentNote.textContent =
      sentText === undefined
        ? t(
            "This computer hasn't sent its text, and the service never returns it. Supply the text to change it or its delay.",
          )
        : sentText && `${sentText} ${t('The service never returns the text, so it may have another one.')}`;
  }
}

/** Returns a number if the text is a whole number, otherwise the text, which validation reports. */
function parseWholeNumber(text: string) {
  const line = text.trim();
  return /^\d{1,9}$/u.test(line) ? Number(line) : text;
}

/** The sequence: the trigger, each delay and mail, and the end or loop. Always in order, but a row doesn't move while its delay is being typed. */
export class Timeline {
  readonly element: HTMLElement;
  readonly #run: RunMailCommand;
  readonly #trigger = make('span.name');
  readonly #end = make('span.name');
  readonly #endDelay = make('span.wait');
  readonly #endStep: HTMLElement;
  readonly #emptyNotice = make('p.hint', { hidden: '' }, t('No emails yet. To add one, use "Add Email…".'));
  readonly #list: HTMLElement;
  /** By the mail's id and its index in the text. */
  #rows = new Map<string, MailRow>();
  #cards: readonly MailCard[] = [];
  #entries: readonly MailEntry[] = [];
  #isRecord = false;
  #isEnabled = true;

  constructor(run: RunMailCommand) {
    this.#run = run;
    const end = make('div.milestone', icon(icons.loop), this.#end);
    this.#endStep = make('li.step.end', make('div.gap', this.#endDelay), end);
    const start = make('li.step.start', make('div.milestone', icon(icons.bolt), this.#trigger));
    this.#list = make('ol.timeline', start, this.#endStep);
    this.#list.addEventListener('focusout', () => setTimeout(() => this.#sortRows()));
    this.element = make('div', this.#list, this.#emptyNotice);
  }

  setEnabled(enabled: boolean): void {
    this.#isEnabled = enabled;
    this.#showRows();
  }

  /** Shows the sequence of the details. `trigger` is a label. `cards`: the mails on the service. `isRecord`: false for a local file. */
  update(details: Details, trigger: string, cards: readonly MailCard[], isRecord: boolean): void {
    this.#cards = cards;
    this.#isRecord = isRecord;
    this.#trigger.textContent = trigger;
    this.#entries = readMailEntries(details);
    const before = this.#rows;
    this.#rows = new Map(
      this.#entries.map((entry) => {
        const key = getRowKey(entry);
        return [key, before.get(key) ?? new MailRow(entry, this.#run)];
      }),
    );
    for (const [key, row] of before) if (!this.#rows.has(key)) row.element.remove();
    this.#showRows();
    this.#showEnd(details);
    this.#sortRows();
  }

  #showRows() {
    for (const entry of this.#entries) {
      const card = this.#cards.find(({ id }) => id === entry.id);
      this.#rows.get(getRowKey(entry))?.show(entry, card, this.#isRecord, this.#isEnabled);
    }
    this.#emptyNotice.hidden = this.#entries.length > 0;
  }

  #showEnd({ loop, loop_delay: delay }: Details) {
    const isLoop = loop === 1;
    const { value, unit } = toLoopAmount(typeof delay === 'number' ? delay : 0);
    this.#endStep.classList.toggle('once', !isLoop);
    this.#endDelay.textContent = isLoop && value > 0 ? `+ ${formatAmountWithUnit(value, unit)}` : '';
    this.#end.textContent = isLoop
      ? t('Can be triggered again')
      : t({ message: 'Ends', comment: 'Last step of a follow-up' });
  }

  /** Sorts the mails by delay. */
  #sortRows() {
    const list = this.#list;
    const { activeElement } = document;
    const focused = activeElement instanceof HTMLElement && list.contains(activeElement) ? activeElement : undefined;
    const ordered = this.#entries.toSorted(
      (one, other) => getDelaySeconds(one) - getDelaySeconds(other) || one.index - other.index,
    );
    const sortedRows = ordered.flatMap((entry) => this.#rows.get(getRowKey(entry))?.element ?? []);
    const currentRows = [...list.querySelectorAll('li.mail')];
    const isInOrder =
      sortedRows.length === currentRows.length && sortedRows.every((row, index) => row === currentRows[index]);
    const isTyping = focused?.localName === 'vscode-text-field';
    if (isInOrder || (isTyping && sortedRows.every((row) => currentRows.includes(row)))) return;
    for (const row of sortedRows) list.insertBefore(row, this.#endStep);
    focused?.focus();
  }
}

function getRowKey({ id, index }: MailEntry) {
  return `${id}/${index}`;
}

/** Returns seconds. Invalid delays sort last. */
function getDelaySeconds({ delay, delay_unit: unit }: MailEntry) {
  const isDelay = typeof delay === 'number' && (typeof unit === 'number' || isDelayUnit(unit));
  return isDelay ? toSeconds({ delay, delay_unit: unit }) : Number.MAX_SAFE_INTEGER;
}
