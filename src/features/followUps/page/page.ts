import { t } from '@vscode/l10n';
import {
  createDropdownChoice,
  createFlagInput,
  createRadioChoice,
  createTextInput,
  toLine,
  createPair,
  createFormSection,
} from '../../../ui/page/form/fields.ts';
import { createListPicker } from '../../../ui/page/form/lists.ts';
import { createFormPage } from '../../../ui/page/form/page.ts';
import type { Details, JsonValue } from '../../../ui/page/form/protocol.ts';
import { makeButton } from '../../../ui/page/toolkit.ts';
import type { FollowUpToPage, FollowUpFormOptions, MailCard } from '../protocol.ts';
import { readMailEntries } from '../model.ts';
import { createLoop } from './loop.ts';
import { createTimeline } from './timeline.ts';

const createListStatuses = () => [
  {
    value: 'is',
    label: t('Users on one of the selected lists'),
    description: t('Without a list: all users.'),
  },
  { value: 'is_not', label: t('Users on none of the selected lists') },
];
const createSegmentStatuses = () => [
  { value: 'is', label: t('Users in one of the segments') },
  { value: 'is_not', label: t('Users in none of the segments') },
];

export function openFollowUpForm(): void {
  const { host, edits, form, actions, showStatus, start } = createFormPage<FollowUpToPage>(() => t('Follow-up'));
  const attachButton = makeButton(t('Add Email…'), () => host.post({ type: 'run', command: 'attachMail' }), {
    appearance: 'primary',
    'data-command': 'attachMail',
  });
  actions.append(attachButton);
  actions.hidden = true;
  const flags = [
    createFlagInput(
      {
        path: ['active'],
        label: t({ message: 'Active', comment: 'State of a follow-up' }),
        hint: t('An inactive follow-up sends nothing when it is triggered.'),
        fallback: false,
      },
      edits,
    ),
    createFlagInput(
      {
        path: ['send_once'],
        label: t('Send once'),
        hint: t('Each user gets it only once.'),
        fallback: false,
      },
      edits,
    ),
  ];
  const trigger = createDropdownChoice({ path: ['trigger'], label: t('Trigger'), options: [], class: 'wide' }, edits);
  const lists = createListPicker({ path: ['condition', 'lists'], legend: t('Lists of the condition') }, edits, () =>
    host.post({ type: 'retry' }),
  );
  lists.element.classList.replace('section', 'subsection');
  const timeline = createTimeline(edits, (command, id) => host.post({ type: 'run', command, id }));
  const loop = createLoop(edits);
  const name = createTextInput(
    { path: ['name'], label: t('Name'), required: true, hint: t('For you and your team.') },
    edits,
  );
  const displayName = createTextInput(
    {
      path: ['display_name'],
      label: t('Display name'),
      required: true,
      hint: t('Shown on the unsubscribe page.'),
    },
    edits,
  );
  const listStatus = createRadioChoice(
    {
      path: ['condition', 'lists_status'],
      label: t('List condition'),
      options: createListStatuses(),
      fallback: 'is',
    },
    edits,
  );
  const segmentStatus = createDropdownChoice(
    {
      path: ['condition', 'segments_status'],
      label: t('Segment condition'),
      options: createSegmentStatuses(),
      class: 'wide',
    },
    edits,
  );
  const segments = createTextInput(
    {
      path: ['condition', 'segments'],
      label: t('Segments'),
      placeholder: '4, 12',
      hint: t("IDs separated by commas. The service doesn't report which segments exist."),
      read: parseSegmentIds,
      write: formatSegmentIds,
    },
    edits,
  );
  const fields = [name, displayName, ...flags, trigger, lists, listStatus, segmentStatus, segments, ...loop.fields];
  let triggers: FollowUpFormOptions['triggers'] = [];
  let details: Details = {};
  let cards: readonly MailCard[] = [];
  let isRecord = false;

  form.append(
    createFormSection(t('Follow-up'), createPair(name, displayName), ...flags.map(({ element }) => element)),
    createFormSection(
      t({ message: 'Start', comment: 'Heading: what starts a follow-up' }),
      trigger.element,
      listStatus.element,
      lists.element,
      createPair(segmentStatus, segments),
    ),
    createFormSection(
      t({ message: 'Sequence', comment: 'Heading: the mails of a follow-up and their delays' }),
      timeline.element,
    ),
    createFormSection(
      t({ message: 'Loop', comment: 'Heading: whether a follow-up starts again after its last mail' }),
      loop.element,
    ),
  );

  function renderSequence() {
    const { trigger: value } = details;
    const triggerLabel =
      triggers.find((each) => each.value === value)?.label ??
      (typeof value === 'string' && value !== '' ? value : t('No trigger yet'));
    timeline.update(details, triggerLabel, cards, isRecord);
    loop.update(
      details,
      readMailEntries(details).map(({ id }) => ({
        id,
        name: cards.find((card) => card.id === id)?.name ?? t`Email #${id}`,
      })),
    );
  }

  start({
    getFields: () => [...fields, ...timeline.getFields()],
    showLists: lists.showLists,
    updateLayout: (shown) => {
      details = shown;
      renderSequence();
    },
    setEnabled: (enabled) => {
      attachButton.disabled = !enabled;
      timeline.setEnabled(enabled);
    },
    handlers: {
      options: ({ options, isRecord: isOnService }) => {
        ({ triggers } = options);
        trigger.setOptions(triggers);
        if (options.readOnlyReason !== undefined) for (const flag of flags) flag.lock(options.readOnlyReason);
        isRecord = isOnService;
        actions.hidden = !isRecord;
        if (!isRecord) showStatus('', t('Local file'));
        renderSequence();
      },
      mails: ({ mails, isActive, statusText }) => {
        cards = mails;
        showStatus(isActive ? 'sent' : '', statusText);
        renderSequence();
      },
    },
  });
}

/** Returns ids if the text contains only ids, otherwise the text, which validation reports. */
function parseSegmentIds(text: string) {
  const parts = text.split(/[\s,;]+/u).filter((part) => part !== '');
  return parts.every((part) => /^\d{1,15}$/u.test(part)) ? parts.map(Number) : text;
}

function formatSegmentIds(value: JsonValue) {
  return Array.isArray(value) ? value.join(', ') : toLine(value);
}
