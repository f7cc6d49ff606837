import * as l10n from '@vscode/l10n';
import { plural } from '../../../l10n.ts';
import { icon, make } from '../../../platform/webview/dom.ts';
import { icons } from '../../../platform/webview/icons.ts';
import { makeButton, type ButtonElement } from '../../../platform/webview/toolkit.ts';
import type { Edits } from '../../../platform/webview/form/edits.ts';
import type { Details } from '../../../platform/webview/form/protocol.ts';
import {
  createTextInput,
  capitalize,
  createFormSection,
  createPair,
  type TextOptions,
  createDropdownChoice,
  createFlagInput,
  createRadioChoice,
} from '../../../platform/webview/form/fields.ts';
import { createListPicker } from '../../../platform/webview/form/lists.ts';
import { createFormPage } from '../../../platform/webview/form/page.ts';
import { getSnippet, InboxLine } from '../../../platform/webview/inbox.ts';
import type { Audience, CampaignFormCommand, CampaignToPage, TagsToPage } from '../protocol.ts';
import { createDateInput } from '../../../platform/webview/form/dates.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import {
  createTagInsertion,
  completeTags,
  getExampleOutput,
  readTagLanguage,
  filterCompletions,
} from '../../../email/tags/index.ts';
import { offerSuggestions, type Suggestion } from '../../../platform/webview/form/suggestions.ts';

const emailOptions = { type: 'email', placeholder: 'name@example.com' } as const;
export function openCampaignForm(): void {
  const { host, edits, form, actions, showStatus, start } = createFormPage<CampaignToPage>(() => l10n.t('Campaign'));
  const retry = (): void => host.post({ type: 'retry' });
  const inbox = new InboxLine(l10n.t("The service's default sender"));
  const subject = createText('subject', l10n.t('Subject'), { required: true });
  const fromName = createText('from_name', l10n.t('From name'));
  const fromEmail = createText('from_email', l10n.t('From email'), emailOptions);
  const name = createText('name', l10n.t('Name'), {
    required: true,
    hint: l10n.t('For you and your team. Recipients never see it.'),
  });
  const bccOptions = {
    placeholder: 'one@example.com, two@example.com',
    hint: l10n.t('Each address gets a copy. Separate addresses with commas.'),
  };
  const bounceOptions = { ...emailOptions, hint: l10n.t('Receives undeliverable emails.') };
  const senders = [
    [fromName, fromEmail],
    [
      createText('reply_to_name', l10n.t('Reply-to name')),
      createText('reply_to_email', l10n.t('Reply-to email'), emailOptions),
    ],
    [createText('bounce_email', l10n.t('Bounce email'), bounceOptions), createText('bcc', l10n.t('Bcc'), bccOptions)],
  ] as const;
  const lists = createListPicker(
    {
      path: ['listIds'],
      legend: l10n.t('Lists'),
      missingHint: l10n.t("The service doesn't report this campaign's lists. Lists that you select here replace them."),
    },
    edits,
    retry,
  );
  const audienceElement = make('div', { class: 'audience', 'aria-live': 'polite', hidden: '' });
  lists.element.append(audienceElement);
  const sending = createSendingSection(edits);
  const send = createAction(l10n.t('Send…'), 'send', 'primary');
  const fields = [subject, name, ...senders.flat(), lists, ...sending.fields];
  let bodySnippet = '';
  let storedPreheader = '';
  let sendsAtOnce = false;
  let sendingType: unknown;
  /** Offers no tags until the host has sent the settings. */
  let tags: Omit<TagsToPage, 'type'> = { setting: 'none', fields: [] };

  actions.append(
    createAction(l10n.t('Open Body'), 'openBody'),
    createAction(l10n.t({ message: 'Preview', args: [], comment: 'Button that opens the preview' }), 'preview'),
    createAction(l10n.t('Send Test'), 'sendTest'),
    send,
  );
  offerSuggestions(subject.control, suggestTags);
  form.append(
    createFormSection(l10n.t('Message'), subject.element, name.element, inbox.element),
    createFormSection(
      l10n.t('Sender'),
      make('p', { class: 'hint' }, l10n.t("Empty fields use the service's configuration.")),
      ...senders.map((pair) => createPair(...pair)),
    ),
    lists.element,
    sending.element,
  );

  function createText(field: string, label: string, options: Partial<TextOptions> = {}) {
    return createTextInput({ path: [field], label, ...options }, edits, updatePreview);
  }

  function updateSendLabel(): void {
    const isScheduled = !sendsAtOnce && (sendingType === 'scheduled' || sendingType === 'auto');
    send.textContent = isScheduled
      ? l10n.t({ message: 'Schedule…', args: [], comment: 'Button that schedules a campaign' })
      : l10n.t('Send…');
  }

  function createAction(label: string, command: CampaignFormCommand, appearance = 'secondary'): ButtonElement {
    const run = (): void => host.post({ type: 'run', command });
    return makeButton(label, run, { appearance, 'data-command': command });
  }

  /** Shows the number of recipients of the selected lists. */
  function showAudience(audience: Audience): void {
    const text = formatAudience(audience);
    audienceElement.hidden = text === undefined;
    audienceElement.classList.toggle('uncertain', audience.kind !== 'counted');
    audienceElement.replaceChildren(...(text === undefined ? [] : [icon(icons.people), make('span', {}, text)]));
    if (audience.kind === 'failed') audienceElement.append(makeButton(l10n.t('Count Again'), retry));
  }

  /** Returns completions of the service's tags. */
  function suggestTags(line: string, offset: number): Suggestion[] {
    const found = completeTags(line, offset, readTagLanguage(tags.setting), { where: 'subject', fields: tags.fields });
    return filterCompletions(found, line, offset).map((tag) => ({
      label: toDisplayText(tag.label),
      example: toDisplayText(getExampleOutput(tag)),
      description: toDisplayText(tag.description),
      edit: createTagInsertion(tag),
      continues: tag.shouldRetrigger,
    }));
  }

  function updatePreview(): void {
    const text = subject.getText();
    subject.setHint(formatLengthHint(text));
    const sender = { from_name: fromName.getText(), from_email: fromEmail.getText() };
    inbox.show({ subject: text, preheader: storedPreheader, ...sender }, '', bodySnippet);
  }

  start({
    getFields: () => fields,
    showLists: lists.showLists,
    updateLayout: (details) => {
      if (edits.isPending(['sending_type'])) return;
      sending.updateVisibility(details);
      sendingType = details['sending_type'];
      updateSendLabel();
    },
    onShown: updatePreview,
    setEnabled: (enabled) => (send.disabled = !enabled),
    handlers: {
      tags: (settings) => (tags = settings),
      status: ({ isRecord, status, preheader = '' }) => {
        storedPreheader = preheader;
        updatePreview();
        actions.hidden = !isRecord;
        if (status !== undefined) showStatus(status.state, capitalize(status.label));
        else if (!isRecord) showStatus('', l10n.t('Local file'));
      },
      zones: ({ isStartUtc, sendsAtOnce: ignoresSchedule }) => {
        sending.start.setDayZone(isStartUtc);
        sendsAtOnce = ignoresSchedule;
        updateSendLabel();
      },
      audience: ({ audience }) => showAudience(audience),
      body: ({ html }) => {
        bodySnippet = getSnippet(new DOMParser().parseFromString(html, 'text/html'));
        updatePreview();
      },
    },
  });
}

/** Characters of a subject that inboxes show on a phone in portrait orientation, and on a desktop. */
const PHONE_SUBJECT_CHARS = 33;
const DESKTOP_SUBJECT_CHARS = 60;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns the length of a subject in graphemes, and where inboxes cut it. */
function formatLengthHint(subject: string): string {
  const letters = [...graphemes.segment(subject.trim())].map(({ segment }) => segment);
  const { length } = letters;
  if (length === 0)
    return l10n.t`Inboxes show about ${PHONE_SUBJECT_CHARS} characters on a phone and ${DESKTOP_SUBJECT_CHARS} on a desktop.`;
  const count = plural(length, l10n.t('{0} character.'), l10n.t('{0} characters.'));
  if (length <= PHONE_SUBJECT_CHARS) return `${count} ${l10n.t('Fits on a phone and on a desktop.')}`;
  const start = `${letters.slice(0, PHONE_SUBJECT_CHARS).join('').trimEnd()}…`;
  const phone = l10n.t`Phones show about "${start}".`;
  return length <= DESKTOP_SUBJECT_CHARS
    ? `${count} ${phone}`
    : `${count} ${l10n.t`Desktops show about ${DESKTOP_SUBJECT_CHARS} characters.`} ${phone}`;
}

function formatAudience(audience: Audience): string | undefined {
  switch (audience.kind) {
    case 'none':
      return undefined;
    case 'counting':
      return l10n.t('Counting the recipients…');
    case 'failed':
      return l10n.t`Couldn't count the recipients: ${audience.message}`;
    case 'counted':
      return audience.exact
        ? plural(audience.count, l10n.t('{0} recipient, counted once'), l10n.t('{0} recipients, each counted once'))
        : plural(
            audience.count,
            l10n.t('At least {0} recipient, counted once'),
            l10n.t('At least {0} recipients, each counted once'),
          );
  }
}

const createSendingTypeOptions = () => [
  {
    value: 'now',
    label: l10n.t({ message: 'Now', args: [], comment: 'Sending type of a campaign' }),
    description: l10n.t('Sends when you choose Send.'),
  },
  {
    value: 'scheduled',
    label: l10n.t({ message: 'Scheduled', args: [], comment: 'Sending type of a campaign' }),
    description: l10n.t('Sends on a date.'),
  },
  {
    value: 'auto',
    label: l10n.t({ message: 'Automatic', args: [], comment: 'Sending type of a campaign' }),
    description: l10n.t('Sends repeatedly.'),
  },
];

const createFrequencyOptions = () => [
  { value: 'every', label: l10n.t('At an interval') },
  {
    value: 'cron',
    label: l10n.t('Each time the service runs its tasks'),
    description: l10n.t('As often as its cron job runs.'),
  },
];

const createUnitOptions = () => [
  { value: 'hour', label: l10n.t('hours') },
  { value: 'day', label: l10n.t('days') },
  { value: 'week', label: l10n.t('weeks') },
  { value: 'month', label: l10n.t('months') },
];

/** Creates the sending type and its dependent fields. `updateVisibility` hides fields that don't apply. */
function createSendingSection(edits: Edits) {
  const type = createRadioChoice(
    { path: ['sending_type'], label: l10n.t('Sending type'), options: createSendingTypeOptions(), fallback: 'now' },
    edits,
  );
  const date = createDateInput(
    {
      path: ['sending_date'],
      label: l10n.t({ message: 'Day', args: [], comment: 'Label of a date field' }),
      hasTime: true,
    },
    edits,
  );
  const frequency = createRadioChoice(
    { path: ['frequency'], label: l10n.t('Frequency'), options: createFrequencyOptions() },
    edits,
  );
  const value = createTextInput(
    {
      path: ['frequency_options', 'value'],
      label: l10n.t({ message: 'Every', args: [], comment: 'A number and a unit of time follow.' }),
      inputMode: 'numeric',
      class: 'number',
      read: parseFrequencyValue,
    },
    edits,
  );
  const unit = createDropdownChoice(
    { path: ['frequency_options', 'unit'], label: l10n.t('Unit'), options: createUnitOptions() },
    edits,
  );
  const start = createDateInput(
    { path: ['start_date'], label: l10n.t('First day'), hint: l10n.t('Leave empty to start immediately.') },
    edits,
  );
  const confirm = createFlagInput(
    {
      path: ['need_confirm'],
      label: l10n.t('Confirm each email'),
      hint: l10n.t('The service creates a draft each time and sends it after confirmation.'),
      fallback: true,
    },
    edits,
  );
  const every = make('div', { class: 'pair rhythm' }, value.element, unit.element);
  const nest = (label: string, ...content: readonly HTMLElement[]): HTMLElement =>
    make('div', { class: 'nested', role: 'group', 'aria-label': label }, ...content);
  const scheduled = nest(
    l10n.t({ message: 'Scheduled', args: [], comment: 'Sending type of a campaign' }),
    date.element,
  );
  const auto = nest(
    l10n.t({ message: 'Automatic', args: [], comment: 'Sending type of a campaign' }),
    frequency.element,
    every,
    start.element,
    confirm.element,
  );
  return {
    element: createFormSection(l10n.t('Schedule'), type.element, scheduled, auto),
    fields: [type, date, frequency, value, unit, start, confirm],
    /** Its time zone is UTC or that of the service. */
    start,
    updateVisibility: (details: Details): void => {
      scheduled.hidden = details['sending_type'] !== 'scheduled';
      auto.hidden = details['sending_type'] !== 'auto';
      every.hidden = details['frequency'] !== 'every';
    },
  };
}

/** Parses a whole number. Other text is returned unchanged, so that validation reports it. */
function parseFrequencyValue(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : text;
}
