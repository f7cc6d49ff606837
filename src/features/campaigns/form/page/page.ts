import { t } from '@vscode/l10n';
import { plural } from '../../../../l10n.ts';
import { icon, make } from '../../../../ui/page/dom.ts';
import { icons } from '../../../../ui/page/icons.ts';
import { makeButton } from '../../../../ui/page/toolkit.ts';
import type { Edits } from '../../../../ui/page/form/edits.ts';
import type { Details } from '../../../../ui/page/form/protocol.ts';
import {
  createTextInput,
  capitalize,
  createFormSection,
  createNestedGroup,
  createPair,
  type TextOptions,
  createDropdownChoice,
  createFlagInput,
  createRadioChoice,
} from '../../../../ui/page/form/fields.ts';
import { createListPicker } from '../../../../ui/page/form/lists.ts';
import { createFormPage } from '../../../../ui/page/form/page.ts';
import { createInboxLine, getSnippet } from '../../../../ui/page/inbox.ts';
import type { Audience, CampaignFormCommand, CampaignToPage, TagsToPage } from '../protocol.ts';
import { createSiteSettings } from './siteSettings.ts';
import { createDateInput } from '../../../../ui/page/form/dates.ts';
import { toDisplayText } from '../../../../email/compose/fieldText.ts';
import {
  createTagInsertion,
  completeTags,
  getExampleOutput,
  readTagLanguage,
  filterCompletions,
} from '../../../../email/tags/index.ts';
import { offerSuggestions, type Suggestion } from '../../../../ui/page/form/suggestions.ts';

const emailOptions = { type: 'email', placeholder: 'name@example.com' } as const;
export function openCampaignForm(): void {
  const { host, edits, form, actions, showStatus, start } = createFormPage<CampaignToPage>(() => t('Campaign'));
  const retry = () => host.post({ type: 'retry' });
  const inbox = createInboxLine(t("The service's default sender"));
  const subject = createText('subject', t('Subject'), { required: true });
  const fromName = createText('from_name', t('From name'));
  const fromEmail = createText('from_email', t('From email'), emailOptions);
  const name = createText('name', t('Name'), {
    required: true,
    hint: t('For you and your team. Recipients never see it.'),
  });
  const bccOptions = {
    placeholder: 'one@example.com, two@example.com',
    hint: t('Each address gets a copy. Separate addresses with commas.'),
  };
  const bounceOptions = { ...emailOptions, hint: t('Receives undeliverable emails.') };
  const senders = [
    [fromName, fromEmail],
    [createText('reply_to_name', t('Reply-to name')), createText('reply_to_email', t('Reply-to email'), emailOptions)],
    [createText('bounce_email', t('Bounce email'), bounceOptions), createText('bcc', t('Bcc'), bccOptions)],
  ] as const;
  const lists = createListPicker(
    {
      path: ['listIds'],
      legend: t('Lists'),
      missingHint: t("The service doesn't report this campaign's lists. Lists that you select here replace them."),
    },
    edits,
    retry,
  );
  const audienceElement = make('div.audience', { 'aria-live': 'polite', hidden: '' });
  lists.element.append(audienceElement);
  const sending = createSendingSection(edits);
  const send = createAction(t('Send…'), 'send', 'primary');
  const statistics = createAction(t('Show Statistics'), 'showStatistics', 'primary');
  statistics.hidden = true;
  const siteSettings = createSiteSettings(edits);
  siteSettings.element.hidden = true;
  const versionsText = make('span');
  const versionsLink = make('a', t('Open Website'));
  const versionsNotice = make('div.notice', { role: 'status', hidden: '' }, versionsText, versionsLink);
  const fields = [subject, name, ...senders.flat(), lists, ...sending.fields, ...siteSettings.fields];
  let bodySnippet = '';
  let storedPreheader = '';
  let sendsAtOnce = false;
  let sendingType: unknown;
  /** Offers no tags until the host has sent the settings. */
  let tags: Omit<TagsToPage, 'type'> = { setting: 'none', fields: [] };

  actions.append(
    createAction(t('Open Body'), 'openBody'),
    createAction(t({ message: 'Preview', comment: 'Button that opens the preview' }), 'preview'),
    createAction(t('Send Test'), 'sendTest'),
    send,
    statistics,
  );
  offerSuggestions(subject.control, suggestTags);
  form.append(
    versionsNotice,
    createFormSection(t('Message'), subject.element, name.element, inbox.element),
    lists.element,
    sending.element,
    createFormSection(
      t('Sender'),
      make('p.hint', t("Empty fields use the service's configuration.")),
      ...senders.map((pair) => createPair(...pair)),
    ),
    siteSettings.element,
  );

  function createText(field: string, label: string, options: Partial<TextOptions> = {}) {
    return createTextInput({ path: [field], label, ...options }, edits, updatePreview);
  }

  function updateSendLabel() {
    const isScheduled = !sendsAtOnce && (sendingType === 'scheduled' || sendingType === 'auto');
    send.textContent = isScheduled
      ? t({ message: 'Schedule…', comment: 'Button that schedules a campaign' })
      : t('Send…');
  }

  function createAction(label: string, command: CampaignFormCommand, appearance = 'secondary') {
    const run = () => host.post({ type: 'run', command });
    return makeButton(label, run, { appearance, 'data-command': command });
  }

  /** Shows the number of recipients of the selected lists. */
  function showAudience(audience: Audience) {
    const text = formatAudience(audience);
    audienceElement.hidden = text === undefined;
    audienceElement.classList.toggle('uncertain', audience.kind !== 'counted');
    audienceElement.replaceChildren(...(text === undefined ? [] : [icon(icons.people), make('span', text)]));
    if (audience.kind === 'failed') audienceElement.append(makeButton(t('Count Again'), retry));
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

  function updatePreview() {
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
      siteSettings.showDetails(details);
      sendingType = details['sending_type'];
      updateSendLabel();
    },
    onShown: updatePreview,
    setEnabled: (enabled) => (send.disabled = !enabled),
    handlers: {
      tags: (settings) => (tags = settings),
      status: ({ isRecord, status, preheader = '', siteParams, versions = '' }) => {
        versionsText.textContent = versions;
        versionsNotice.hidden = versions === '';
        siteSettings.showStored(siteParams);
        storedPreheader = preheader;
        updatePreview();
        actions.hidden = !isRecord;
        statistics.hidden = status?.state !== 'sent';
        send.hidden = !statistics.hidden;
        if (status !== undefined) showStatus(status.state, capitalize(status.label));
        else if (!isRecord) showStatus('', t('Local file'));
      },
      zones: ({ isStartUtc, sendsAtOnce: ignoresSchedule, site }) => {
        siteSettings.element.hidden = site === undefined;
        versionsLink.href = site ?? '';
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
function formatLengthHint(subject: string) {
  const letters = [...graphemes.segment(subject.trim())].map(({ segment }) => segment);
  const { length } = letters;
  if (length === 0)
    return t`Inboxes show about ${PHONE_SUBJECT_CHARS} characters on a phone and ${DESKTOP_SUBJECT_CHARS} on a desktop.`;
  const count = plural(length, t('{0} character.'), t('{0} characters.'));
  if (length <= PHONE_SUBJECT_CHARS) return `${count} ${t('Fits on a phone and on a desktop.')}`;
  const start = `${letters.slice(0, PHONE_SUBJECT_CHARS).join('').trimEnd()}…`;
  const phone = t`Phones show about "${start}".`;
  return length <= DESKTOP_SUBJECT_CHARS
    ? `${count} ${phone}`
    : `${count} ${t`Desktops show about ${DESKTOP_SUBJECT_CHARS} characters.`} ${phone}`;
}

function formatAudience(audience: Audience) {
  switch (audience.kind) {
    case 'none':
      return undefined;
    case 'counting':
      return t('Counting the recipients…');
    case 'failed':
      return t`Couldn't count the recipients: ${audience.message}`;
    case 'counted':
      return audience.exact
        ? plural(audience.count, t('{0} recipient, counted once'), t('{0} recipients, each counted once'))
        : plural(
            audience.count,
            t('At least {0} recipient, counted once'),
            t('At least {0} recipients, each counted once'),
          );
  }
}

const createSendingTypeOptions = () => [
  {
    value: 'now',
    label: t({ message: 'Now', comment: 'Sending type of a campaign' }),
    description: t('Sends when you choose Send.'),
  },
  {
    value: 'scheduled',
    label: t({ message: 'Scheduled', comment: 'Sending type of a campaign' }),
    description: t('Sends on a date.'),
  },
  {
    value: 'auto',
    label: t({ message: 'Automatic', comment: 'Sending type of a campaign' }),
    description: t('Sends repeatedly.'),
  },
];

const createFrequencyOptions = () => [
  { value: 'every', label: t('At an interval') },
  {
    value: 'cron',
    label: t('Each time the service runs its tasks'),
    description: t('As often as its cron job runs.'),
  },
];

const createUnitOptions = () => [
  { value: 'hour', label: t('hours') },
  { value: 'day', label: t('days') },
  { value: 'week', label: t('weeks') },
  { value: 'month', label: t('months') },
];

/** Creates the sending type and its dependent fields. `updateVisibility` hides fields that don't apply. */
function createSendingSection(edits: Edits) {
  const type = createRadioChoice(
    { path: ['sending_type'], label: t('Sending type'), options: createSendingTypeOptions(), fallback: 'now' },
    edits,
  );
  const date = createDateInput(
    {
      path: ['sending_date'],
      label: t({ message: 'Day', comment: 'Label of a date field' }),
      hasTime: true,
    },
    edits,
  );
  const frequency = createRadioChoice(
    { path: ['frequency'], label: t('Frequency'), options: createFrequencyOptions() },
    edits,
  );
  const value = createTextInput(
    {
      path: ['frequency_options', 'value'],
      label: t({ message: 'Every', comment: 'A number and a unit of time follow.' }),
      inputMode: 'numeric',
      class: 'number',
      read: parseFrequencyValue,
    },
    edits,
  );
  const unit = createDropdownChoice(
    { path: ['frequency_options', 'unit'], label: t('Unit'), options: createUnitOptions() },
    edits,
  );
  const start = createDateInput(
    { path: ['start_date'], label: t('First day'), hint: t('Leave empty to start immediately.') },
    edits,
  );
  const confirm = createFlagInput(
    {
      path: ['need_confirm'],
      label: t('Confirm each email'),
      hint: t('The service creates a draft each time and sends it after confirmation.'),
      fallback: true,
    },
    edits,
  );
  const every = make('div.pair.rhythm', value.element, unit.element);
  const scheduled = createNestedGroup(t({ message: 'Scheduled', comment: 'Sending type of a campaign' }), date.element);
  const auto = createNestedGroup(
    t({ message: 'Automatic', comment: 'Sending type of a campaign' }),
    frequency.element,
    every,
    start.element,
    confirm.element,
  );
  return {
    element: createFormSection(t('Schedule'), type.element, scheduled, auto),
    fields: [type, date, frequency, value, unit, start, confirm],
    /** Its time zone is UTC or that of the service. */
    start,
    updateVisibility: (details: Details) => {
      scheduled.hidden = details['sending_type'] !== 'scheduled';
      auto.hidden = details['sending_type'] !== 'auto';
      every.hidden = details['frequency'] !== 'every';
    },
  };
}

/** Parses a whole number. Other text is returned unchanged, so that validation reports it. */
function parseFrequencyValue(text: string) {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : text;
}
