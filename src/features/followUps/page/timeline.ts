import { t } from '@vscode/l10n';
import { icon, make } from '../../../platform/webview/dom.ts';
import type { Details } from '../../../platform/webview/form/protocol.ts';
import type { Edits } from '../../../platform/webview/form/edits.ts';
import { type Field, createDropdownChoice, createTextInput } from '../../../platform/webview/form/fields.ts';
import { icons } from '../../../platform/webview/icons.ts';
import { delayUnitLabels, delayUnits, isDelayUnit, readMailEntries, toSeconds, type MailEntry } from '../model.ts';
import type { MailCard } from '../protocol.ts';
import { formatAmountWithUnit, toLoopAmount } from './loop.ts';
import { makeButton } from '../../../platform/webview/toolkit.ts';

type RunMailCommand = (command: 'editMail' | 'deleteMail', id: number) => void;

/** Creates one step of the sequence: a delay and the mail that is sent after it. */
function createMailRow({ index, id }: MailEntry, edits: Edits, run: RunMailCommand) {
  const delay = createTextInput(
    {
      path: ['mails', index, 'delay'],
      label: t('Delay'),
      inputMode: 'numeric',
      class: 'number',
      read: parseWholeNumber,
    },
    edits,
  );
  const unit = createDropdownChoice(
    {
      path: ['mails', index, 'delay_unit'],
      label: t('Unit'),
      options: delayUnits.map((value) => ({ value, label: delayUnitLabels()[value] })),
    },
    edits,
  );
  const fields: readonly Field[] = [delay, unit];
  const delayLabel = make('span', { class: 'wait' });
  const title = make('span', { class: 'name' });
  const subject = make('span', { class: 'subject' });
  const sentNote = make('p', { class: 'hint' });
  const editButton = makeButton(t('Edit'), () => run('editMail', id));
  const deleteButton = makeButton(t('Delete…'), () => run('deleteMail', id));
  const actions = make('div', { class: 'actions' }, editButton, deleteButton);
  const head = make('div', { class: 'head' }, make('div', { class: 'title' }, title, subject), actions);
  const pair = make('div', { class: 'pair rhythm' }, delay.element, unit.element);
  const gap = make('div', { class: 'gap' }, delayLabel);
  const card = make('div', { class: 'card' }, head, pair, sentNote);
  const element = make('li', { class: 'step mail', 'data-mail': String(id) }, gap, card);
  return {
    element,
    fields,
    show: (entry: MailEntry, mail: MailCard | undefined, isRecord: boolean, isEnabled: boolean) => {
      delayLabel.textContent =
        entry.delay === 0 ? t('immediately') : `+ ${formatAmountWithUnit(entry.delay, entry.delay_unit)}`;
      const name = mail?.name ?? t`Mail #${id}`;
      title.textContent = name;
      subject.textContent = mail?.subject === undefined || mail.subject === name ? '' : mail.subject;
      const { sentText } = mail ?? {};
      editButton.textContent = sentText === undefined ? t('Supply Text…') : t('Edit');
      editButton.setAttribute('aria-label', `${editButton.textContent} ${name}`);
      deleteButton.setAttribute('aria-label', t`Delete ${name}…`);
      editButton.disabled = deleteButton.disabled = !isEnabled;
      actions.hidden = sentNote.hidden = !isRecord;
      const isEditable = sentText !== undefined || !isRecord;
      element.classList.toggle('uneditable', !isEditable);
      for (const field of fields) field.setEnabled(isEnabled && isEditable);
      sentNote.textContent =
        sentText === undefined
          ? t(
              "This machine hasn't sent its text, and the service never returns it. Supply the text to change it or its delay.",
            )
          : sentText && `${sentText} ${t('The service never returns the text, so it may have another one.')}`;
    },
  };
}

/** Returns a number if the text is a whole number, otherwise the text, which validation reports. */
function parseWholeNumber(text: string) {
  const line = text.trim();
  return /^\d{1,9}$/u.test(line) ? Number(line) : text;
}

/** Shows the sequence in order: the trigger, each delay and mail, and the end or loop. */
export class Timeline {
  readonly element: HTMLElement;
  readonly #edits: Edits;
  readonly #run: RunMailCommand;
  readonly #trigger = make('span', { class: 'name' });
  readonly #end = make('span', { class: 'name' });
  readonly #endDelay = make('span', { class: 'wait' });
  readonly #endStep = make(
    'li',
    { class: 'step end' },
    make('div', { class: 'gap' }, this.#endDelay),
    make('div', { class: 'milestone' }, icon(icons.loop), this.#end),
  );
  readonly #list: HTMLElement;
  readonly #emptyNotice = make('p', { class: 'hint', hidden: '' }, t('No mails yet. To add one, use "Attach Mail…".'));
  /** By the mail's id and its index in the text. */
  #rows = new Map<string, ReturnType<typeof createMailRow>>();
  #cards: readonly MailCard[] = [];
  #entries: readonly MailEntry[] = [];
  #isRecord = false;
  #isEnabled = true;

  constructor(edits: Edits, run: RunMailCommand) {
    this.#edits = edits;
    this.#run = run;
    const milestone = make('div', { class: 'milestone' }, icon(icons.bolt), this.#trigger);
    this.#list = make('ol', { class: 'timeline' }, make('li', { class: 'step start' }, milestone), this.#endStep);
    this.element = make('div', {}, this.#list, this.#emptyNotice);
    // A row doesn't move while its delay is being typed, but once it loses the focus.
    this.#list.addEventListener('focusout', () => setTimeout(() => this.#sortRows()));
  }

  get fields(): readonly Field[] {
    return [...this.#rows.values()].flatMap(({ fields }) => fields);
  }

  setEnabled(isEnabled: boolean): void {
    this.#isEnabled = isEnabled;
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
        return [key, before.get(key) ?? createMailRow(entry, this.#edits, this.#run)];
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
    const { activeElement } = document;
    const focused =
      activeElement instanceof HTMLElement && this.#list.contains(activeElement) ? activeElement : undefined;
    const ordered = this.#entries.toSorted(
      (one, other) => getDelaySeconds(one) - getDelaySeconds(other) || one.index - other.index,
    );
    const rows = ordered.flatMap((entry) => this.#rows.get(getRowKey(entry))?.element ?? []);
    const currentRows = [...this.#list.querySelectorAll('li.mail')];
    const isInOrder = rows.length === currentRows.length && rows.every((row, index) => row === currentRows[index]);
    const isTyping = focused?.localName === 'vscode-text-field';
    if (isInOrder || (isTyping && rows.every((row) => currentRows.includes(row)))) return;
    for (const row of rows) this.#list.insertBefore(row, this.#endStep);
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
