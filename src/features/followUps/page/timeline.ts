import { t } from '@vscode/l10n';
import { icon, make } from '../../../ui/page/dom.ts';
import type { Details } from '../../../ui/page/form/protocol.ts';
import type { Edits } from '../../../ui/page/form/edits.ts';
import { type Field, createDropdownChoice, createTextInput } from '../../../ui/page/form/fields.ts';
import { icons } from '../../../ui/page/icons.ts';
import { delayUnitLabels, delayUnits, isDelayUnit, readMailEntries, toSeconds, type MailEntry } from '../model.ts';
import type { MailCard } from '../protocol.ts';
import { formatAmountWithUnit, toLoopAmount } from './loop.ts';
import { makeButton } from '../../../ui/page/toolkit.ts';

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
  const delayLabel = make('span.wait');
  const title = make('span.name');
  const subject = make('span.subject');
  const sentNote = make('p.hint');
  const editButton = makeButton(t('Edit'), () => run('editMail', id));
  const deleteButton = makeButton(t('Delete…'), () => run('deleteMail', id));
  const actions = make('div.actions', editButton, deleteButton);
  const head = make('div.head', make('div.title', title, subject), actions);
  const pair = make('div.pair.rhythm', delay.element, unit.element);
  const gap = make('div.gap', delayLabel);
  const card = make('div.card', head, pair, sentNote);
  const element = make('li.step.mail', { 'data-mail': String(id) }, gap, card);
  return {
    element,
    fields,
    show: (entry: MailEntry, mail: MailCard | undefined, isRecord: boolean, isEnabled: boolean) => {
      delayLabel.textContent =
        entry.delay === 0 ? t('immediately') : `+ ${formatAmountWithUnit(entry.delay, entry.delay_unit)}`;
      const name = mail?.name ?? t`Email #${id}`;
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
              "This computer hasn't sent its text, and the service never returns it. Supply the text to change it or its delay.",
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
export function createTimeline(edits: Edits, run: RunMailCommand) {
  const triggerName = make('span.name');
  const end = make('span.name');
  const endDelay = make('span.wait');
  const endStep = make('li.step.end', make('div.gap', endDelay), make('div.milestone', icon(icons.loop), end));
  const emptyNotice = make('p.hint', { hidden: '' }, t('No emails yet. To add one, use "Add Email…".'));
  /** By the mail's id and its index in the text. */
  let rows = new Map<string, ReturnType<typeof createMailRow>>();
  let cards: readonly MailCard[] = [];
  let entries: readonly MailEntry[] = [];
  let isRecord = false;
  let isEnabled = true;
  const milestone = make('div.milestone', icon(icons.bolt), triggerName);
  const list = make('ol.timeline', make('li.step.start', milestone), endStep);
  // A row doesn't move while its delay is being typed, but once it loses the focus.
  list.addEventListener('focusout', () => setTimeout(sortRows));

  function showRows() {
    for (const entry of entries) {
      const card = cards.find(({ id }) => id === entry.id);
      rows.get(getRowKey(entry))?.show(entry, card, isRecord, isEnabled);
    }
    emptyNotice.hidden = entries.length > 0;
  }

  function showEnd({ loop, loop_delay: delay }: Details) {
    const isLoop = loop === 1;
    const { value, unit } = toLoopAmount(typeof delay === 'number' ? delay : 0);
    endStep.classList.toggle('once', !isLoop);
    endDelay.textContent = isLoop && value > 0 ? `+ ${formatAmountWithUnit(value, unit)}` : '';
    end.textContent = isLoop
      ? t('Can be triggered again')
      : t({ message: 'Ends', comment: 'Last step of a follow-up' });
  }

  /** Sorts the mails by delay. */
  function sortRows() {
    const { activeElement } = document;
    const focused = activeElement instanceof HTMLElement && list.contains(activeElement) ? activeElement : undefined;
    const ordered = entries.toSorted(
      (one, other) => getDelaySeconds(one) - getDelaySeconds(other) || one.index - other.index,
    );
    const sortedRows = ordered.flatMap((entry) => rows.get(getRowKey(entry))?.element ?? []);
    const currentRows = [...list.querySelectorAll('li.mail')];
    const isInOrder =
      sortedRows.length === currentRows.length && sortedRows.every((row, index) => row === currentRows[index]);
    const isTyping = focused?.localName === 'vscode-text-field';
    if (isInOrder || (isTyping && sortedRows.every((row) => currentRows.includes(row)))) return;
    for (const row of sortedRows) list.insertBefore(row, endStep);
    focused?.focus();
  }

  return {
    element: make('div', list, emptyNotice),
    getFields: (): readonly Field[] => [...rows.values()].flatMap(({ fields }) => fields),
    setEnabled: (enabled: boolean) => {
      isEnabled = enabled;
      showRows();
    },
    /** Shows the sequence of the details. `trigger` is a label. `mails`: those on the service. `onService`: false for a local file. */
    update: (details: Details, trigger: string, mails: readonly MailCard[], onService: boolean) => {
      cards = mails;
      isRecord = onService;
      triggerName.textContent = trigger;
      entries = readMailEntries(details);
      const before = rows;
      rows = new Map(
        entries.map((entry) => {
          const key = getRowKey(entry);
          return [key, before.get(key) ?? createMailRow(entry, edits, run)];
        }),
      );
      for (const [key, row] of before) if (!rows.has(key)) row.element.remove();
      showRows();
      showEnd(details);
      sortRows();
    },
  };
}

function getRowKey({ id, index }: MailEntry) {
  return `${id}/${index}`;
}

/** Returns seconds. Invalid delays sort last. */
function getDelaySeconds({ delay, delay_unit: unit }: MailEntry) {
  const isDelay = typeof delay === 'number' && (typeof unit === 'number' || isDelayUnit(unit));
  return isDelay ? toSeconds({ delay, delay_unit: unit }) : Number.MAX_SAFE_INTEGER;
}
