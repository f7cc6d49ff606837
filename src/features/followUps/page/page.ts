import * as l10n from '@vscode/l10n';
import {
  createDropdownChoice,
  createFlagInput,
  createRadioChoice,
  createTextInput,
  toLine,
  createPair,
  createFormSection,
  type Field,
} from '../../../platform/webview/form/fields.ts';
import { createListPicker } from '../../../platform/webview/form/lists.ts';
import { FormPage } from '../../../platform/webview/form/page.ts';
import type { Lists, Details, JsonValue } from '../../../platform/webview/form/protocol.ts';
import type { MessageHandlers } from '../../../platform/webview/messages.ts';
import { makeButton } from '../../../platform/webview/toolkit.ts';
import type { FollowUpToPage, FollowUpFormOptions, MailCard } from '../protocol.ts';
import { readMailEntries } from '../model.ts';
import { createLoop } from './loop.ts';
import { Timeline } from './timeline.ts';

const createListStatuses = () => [
  {
    value: 'is',
    label: l10n.t('Users on one of the selected lists'),
    description: l10n.t('Without a list: all users.'),
  },
  { value: 'is_not', label: l10n.t('Users on none of the selected lists') },
];
const createSegmentStatuses = () => [
  { value: 'is', label: l10n.t('Users in one of the segments') },
  { value: 'is_not', label: l10n.t('Users in none of the segments') },
];

export class FollowUpFormPage extends FormPage<FollowUpToPage> {
  protected override readonly ownHandlers: MessageHandlers<FollowUpToPage> = {
    options: ({ options, isRecord }) => {
      this.#options = options;
      this.#trigger.setOptions(options.triggers);
      if (options.readOnlyReason !== undefined) for (const flag of this.#flags) flag.lock(options.readOnlyReason);
      this.actions.hidden = !isRecord;
      if (!isRecord) this.showStatus('', l10n.t('Local file'));
      this.#isRecord = isRecord;
      this.#renderSequence();
    },
    mails: ({ mails, isActive, statusText }) => {
      this.#cards = mails;
      this.showStatus(isActive ? 'sent' : '', statusText);
      this.#renderSequence();
    },
  };
  readonly #attachButton = makeButton(
    l10n.t('Attach Mail…'),
    () => this.host.post({ type: 'run', command: 'attachMail' }),
    {
      appearance: 'primary',
      'data-command': 'attachMail',
    },
  );
  readonly #flags = [
    createFlagInput(
      {
        path: ['active'],
        label: l10n.t({ message: 'Active', args: [], comment: 'State of a follow-up' }),
        hint: l10n.t('An inactive follow-up sends nothing when it is triggered.'),
        fallback: false,
      },
      this.edits,
    ),
    createFlagInput(
      {
        path: ['send_once'],
        label: l10n.t('Send once'),
        hint: l10n.t('Each user gets it only once.'),
        fallback: false,
      },
      this.edits,
    ),
  ];
  readonly #trigger = createDropdownChoice(
    { path: ['trigger'], label: l10n.t('Trigger'), options: [], class: 'wide' },
    this.edits,
  );
  readonly #lists = createListPicker(
    { path: ['condition', 'lists'], legend: l10n.t('Lists of the condition') },
    this.edits,
    () => this.host.post({ type: 'retry' }),
  );
  readonly #timeline = new Timeline(this.edits, (command, id) => this.host.post({ type: 'run', command, id }));
  readonly #loop = createLoop(this.edits);
  readonly #otherFields: readonly Field[];
  #options: FollowUpFormOptions = { triggers: [] };
  #details: Details = {};
  #cards: readonly MailCard[] = [];
  #isRecord = false;

  constructor() {
    super();
    this.actions.ariaLabel = l10n.t('Follow-up');
    const { edits } = this;
    this.actions.append(this.#attachButton);
    this.actions.hidden = true;
    const name = createTextInput(
      { path: ['name'], label: l10n.t('Name'), required: true, hint: l10n.t('For you and your team.') },
      edits,
    );
    const displayName = createTextInput(
      {
        path: ['display_name'],
        label: l10n.t('Display name'),
        required: true,
        hint: l10n.t('Shown on the unsubscribe page.'),
      },
      edits,
    );
    const listStatus = createRadioChoice(
      {
        path: ['condition', 'lists_status'],
        label: l10n.t('Users by lists'),
        options: createListStatuses(),
        fallback: 'is',
      },
      edits,
    );
    const segmentStatus = createDropdownChoice(
      {
        path: ['condition', 'segments_status'],
        label: l10n.t('Users by segments'),
        options: createSegmentStatuses(),
        class: 'wide',
      },
      edits,
    );
    const segments = createTextInput(
      {
        path: ['condition', 'segments'],
        label: l10n.t('Segments'),
        placeholder: '4, 12',
        hint: l10n.t("IDs separated by commas. The service doesn't report which segments exist."),
        read: parseSegmentIds,
        write: formatSegmentIds,
      },
      edits,
    );
    this.#otherFields = [
      name,
      displayName,
      ...this.#flags,
      this.#trigger,
      this.#lists,
      listStatus,
      segmentStatus,
      segments,
      ...this.#loop.fields,
    ];
    this.#lists.element.classList.replace('section', 'subsection');
    this.form.append(
      createFormSection(
        l10n.t('Follow-up'),
        createPair(name, displayName),
        ...this.#flags.map(({ element }) => element),
      ),
      createFormSection(
        l10n.t({ message: 'Start', args: [], comment: 'Heading: what starts a follow-up' }),
        this.#trigger.element,
        listStatus.element,
        this.#lists.element,
        createPair(segmentStatus, segments),
      ),
      createFormSection(
        l10n.t({ message: 'Sequence', args: [], comment: 'Heading: the mails of a follow-up and their delays' }),
        this.#timeline.element,
      ),
      createFormSection(
        l10n.t({ message: 'Loop', args: [], comment: 'Heading: whether a follow-up starts again after its last mail' }),
        this.#loop.element,
      ),
    );
  }

  protected override get fields(): readonly Field[] {
    return [...this.#otherFields, ...this.#timeline.fields];
  }

  protected override showLists(lists: Lists): void {
    this.#lists.showLists(lists);
  }

  protected override updateLayout(details: Details): void {
    this.#details = details;
    this.#renderSequence();
  }

  protected override setEnabled(enabled: boolean): void {
    this.#attachButton.disabled = !enabled;
    this.#timeline.setEnabled(enabled);
  }

  #renderSequence(): void {
    const { trigger } = this.#details;
    const triggerLabel =
      this.#options.triggers.find(({ value }) => value === trigger)?.label ??
      (typeof trigger === 'string' && trigger !== '' ? trigger : l10n.t('No trigger yet'));
    this.#timeline.update(this.#details, triggerLabel, this.#cards, this.#isRecord);
    this.#loop.update(
      this.#details,
      readMailEntries(this.#details).map(({ id }) => ({
        id,
        name: this.#cards.find((card) => card.id === id)?.name ?? l10n.t`Mail #${id}`,
      })),
    );
  }
}

/** Returns ids if the text contains only ids, otherwise the text, which validation reports. */
function parseSegmentIds(text: string): readonly number[] | string {
  const parts = text.split(/[\s,;]+/u).filter((part) => part !== '');
  return parts.every((part) => /^\d{1,15}$/u.test(part)) ? parts.map(Number) : text;
}

function formatSegmentIds(value: JsonValue): string {
  return Array.isArray(value) ? value.join(', ') : toLine(value);
}
