import * as vscode from 'vscode';
import { localized, t } from '../../l10n.ts';
import type { ApiError } from '../../service/client/errors.ts';
import { isApiError } from '../../service/client/shapes.ts';
import type { ProbeResult } from '../../service/client/index.ts';
import { confirm, withProgress } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import { errorText } from '../../ui/errors.ts';
import { parseBaseUrl, sendsKeyUnencrypted } from '../../service/client/address.ts';
import type { ProfileName } from './model.ts';
import { listFixes, normalizeTypedUrl, type Fix } from './network.ts';
import { getRoute, probeAddress } from './open.ts';

/** The values collected so far. */
export interface ConnectionDraft {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly name?: string;
  readonly profile?: ProfileName;
}

/** All values of a connection. */
interface CompletedDraft extends Required<ConnectionDraft> {
  /** False if the user saves it although connecting failed. */
  readonly isConnected: boolean;
}

/** The steps that ask for a value. */
type DraftField = Exclude<keyof ConnectionDraft, 'profile'>;
type Step = DraftField | 'probe';
type NextStep = Step | 'done' | 'canceled';

const FIELD_ORDER: readonly DraftField[] = ['baseUrl', 'apiKey', 'name'];

/** A button of the box that shows why connecting failed. Enter tries again. */
interface FixButton extends vscode.QuickInputButton {
  readonly fix: Fix;
}

const fixButtons = localized((): readonly FixButton[] => [
  { fix: 'takeRedirect', iconPath: new vscode.ThemeIcon('arrow-right'), tooltip: t('Use the new address') },
  { fix: 'editConnection', iconPath: new vscode.ThemeIcon('edit'), tooltip: t('Correct the URL') },
  { fix: 'setApiKey', iconPath: new vscode.ThemeIcon('key'), tooltip: t('Correct the API key') },
  { fix: 'saveAnyway', iconPath: new vscode.ThemeIcon('save'), tooltip: t('Save anyway') },
]);

/** The fix of a step's own box. */
const ownFixes = { baseUrl: 'editConnection', apiKey: 'setApiKey', name: undefined };

/**
 * Asks for missing values, tests the connection, and lets the user fix problems without starting over. A key is always sent encrypted, and to
 * no redirect's address, unless the user agrees.
 */
export class ConnectionWizard {
  readonly #title: string;
  readonly #given: ConnectionDraft;
  readonly #fieldsToAsk: Set<DraftField>;
  readonly #values: Record<DraftField, string>;
  /** The last successful answer of a service. */
  #probed: ProbeResult | undefined;
  /** Whether connecting with the current values succeeded. */
  #isConnected = false;
  #acceptedUnencryptedUrl: string | undefined;
  /** Why connecting failed, until a box shows it. */
  #failure: { readonly error: ApiError; readonly fixes: readonly Fix[]; readonly message: string } | undefined;
  readonly #steps: Readonly<Record<Step, () => NextStep | Promise<NextStep>>> = {
    baseUrl: () => this.#askUrl(),
    apiKey: () =>
      this.#ask('apiKey', {
        prompt: getKeyPrompt(),
        password: true,
        value: this.#values.apiKey,
        validate: getKeyProblem,
        accept: (text) => {
          this.#values.apiKey = text.trim();
          return 'probe';
        },
      }),
    probe: () => this.#probe(),
    name: () =>
      this.#ask('name', {
        prompt: t('Name shown in the tree view'),
        value: this.#values.name || suggestName(this.#probed?.siteName, this.#values.baseUrl),
        validate: (text) => (text.trim() === '' ? t('The name is empty.') : undefined),
        accept: (text) => {
          this.#values.name = text.trim();
          return 'done';
        },
      }),
  };

  /**
   * @param given a given profile overrides the probed one
   * @param alsoAsk fields to ask for even if they are given
   */
  constructor(title: string, given: ConnectionDraft, alsoAsk: readonly DraftField[] = []) {
    this.#title = title;
    this.#given = given;
    this.#fieldsToAsk = new Set(FIELD_ORDER.filter((field) => given[field] === undefined || alsoAsk.includes(field)));
    const { baseUrl = '', apiKey = '', name = '' } = given;
    this.#values = { baseUrl, apiKey, name };
  }

  /** Returns undefined if the user cancels. Throws if a given value that isn't asked for is invalid. */
  async run(): Promise<CompletedDraft | undefined> {
    let step: NextStep = 'baseUrl';
    while (step !== 'done' && step !== 'canceled') step = await this.#steps[step]();
    if (step === 'canceled') return undefined;
    const profile = this.#given.profile ?? this.#probed?.profile ?? 'documented';
    return { ...this.#values, profile, isConnected: this.#isConnected };
  }

  /** Asks for a field if needed, and accepts its text. */
  async #ask(field: DraftField, { accept, ...options }: StepOptions): Promise<NextStep> {
    if (!this.#fieldsToAsk.has(field)) {
      const problem = options.validate(options.value);
      if (problem !== undefined) throw new Error(problem);
      return accept(options.value);
    }
    const fields = FIELD_ORDER.filter((other) => this.#fieldsToAsk.has(other));
    const index = fields.indexOf(field);
    const failure = this.#failure;
    this.#failure = undefined;
    const buttons = fixButtons().filter(({ fix }) => fix !== ownFixes[field] && failure?.fixes.includes(fix));
    const answer = await promptForStep({
      ...options,
      title: this.#title,
      step: index + 1,
      totalSteps: fields.length,
      buttons: [...(index > 0 ? [vscode.QuickInputButtons.Back] : []), ...buttons],
      validationMessage: failure?.message,
    });
    if (!answer) return 'canceled';
    const { text, button } = answer;
    if (!button) return accept(text);
    const chosen = buttons.find((each) => each === button);
    if (!chosen || !failure) return fields[index - 1] ?? 'canceled';
    // The user may have corrected the text before pressing the button.
    const next = chosen.fix === 'takeRedirect' || options.validate(text) !== undefined ? undefined : await accept(text);
    return next === field || next === 'canceled' ? next : this.#applyFix(chosen.fix, failure.error);
  }

  #askAgain(field: DraftField) {
    this.#fieldsToAsk.add(field);
    return field;
  }

  #askUrl() {
    const failedUrl = this.#failure && this.#values.baseUrl;
    return this.#ask('baseUrl', {
      prompt: t('Enter the URL of the site that runs the mailing service, with its path if it has one.'),
      placeholder: 'https://example.com/site',
      value: this.#values.baseUrl,
      validate: (text) => {
        const parsed = parseTypedUrl(text);
        return parsed.ok ? undefined : parsed.problem;
      },
      accept: async (text) => {
        const next = await this.#acceptUrl(text, 'apiKey');
        return next === 'apiKey' && this.#values.baseUrl === failedUrl ? 'probe' : next;
      },
    });
  }

  /** Sending a key without encryption needs a confirmation for each address. */
  async #acceptUrl(text: string, nextStep: Step): Promise<NextStep> {
    const parsed = parseTypedUrl(text);
    if (!parsed.ok) return this.#askAgain('baseUrl');
    const { url } = parsed;
    this.#values.baseUrl = url;
    if (!sendsKeyUnencrypted(url) || this.#acceptedUnencryptedUrl === url) return nextStep;
    if (!(await confirmUnencrypted(url))) return this.#fieldsToAsk.has('baseUrl') ? 'baseUrl' : 'canceled';
    this.#acceptedUnencryptedUrl = url;
    return nextStep;
  }

  async #probe(): Promise<NextStep> {
    const { baseUrl, apiKey } = this.#values;
    this.#isConnected = false;
    try {
      this.#probed = await withProgress(t`Connecting to ${escapeMessage(new URL(baseUrl).host)}…`, (signal) =>
        probeAddress(baseUrl, apiKey, signal),
      );
      this.#isConnected = true;
      return 'name';
    } catch (error) {
      if (!isApiError(error)) throw error;
      return this.#offerFixes(error);
    }
  }

  /** Returns the step that shows the error below its box: the one that most likely fixes it, or the last one if Enter may fix it. */
  #offerFixes(error: ApiError) {
    const usesProxy = getRoute(this.#values.baseUrl).proxy !== false;
    const fixes = listFixes(error, usesProxy);
    const proxyHint = t('The connection uses a proxy. See http.proxy and http.noProxy in the settings.');
    this.#failure = { error, fixes, message: [errorText(error), usesProxy && proxyHint].filter(Boolean).join(' ') };
    return this.#askAgain(fixes[0] === 'setApiKey' || fixes[0] === 'retry' ? 'apiKey' : 'baseUrl');
  }

  #applyFix(fix: Fix, { location = '' }: ApiError) {
    if (fix === 'saveAnyway') return 'name';
    // Sends the key to the new address only because the user chose it explicitly.
    if (fix === 'takeRedirect') return this.#acceptUrl(location, 'probe');
    return this.#askAgain(fix === 'setApiKey' ? 'apiKey' : 'baseUrl');
  }
}

function parseTypedUrl(text: string) {
  return parseBaseUrl(normalizeTypedUrl(text));
}

/** The options of a box, and what happens with an accepted text. */
interface StepOptions extends PromptOptions {
  accept(text: string): NextStep | Promise<NextStep>;
}

interface PromptOptions extends Partial<Pick<vscode.InputBox, 'placeholder' | 'password'>> {
  readonly prompt: string;
  readonly value: string;
  /** Returns why a text is invalid, or undefined if it is valid. */
  validate(text: string): string | undefined;
}

/** The text of a box, and the button that the user pressed instead of Enter. */
interface Answer {
  readonly text: string;
  readonly button?: vscode.QuickInputButton;
}

/**
 * Asks for a line of text. Stays open without focus, so that the user can copy a key from elsewhere. Resolves with undefined if the user
 * cancels.
 */
function promptForStep({ validate, ...options }: PromptOptions & Partial<vscode.InputBox>) {
  const box = Object.assign(vscode.window.createInputBox(), { ...options, ignoreFocusOut: true });
  return new Promise<Answer | undefined>((resolve) => {
    const submit = (button?: vscode.QuickInputButton) => {
      box.validationMessage = validate(box.value);
      if (box.validationMessage === undefined) resolve({ text: box.value, button });
    };
    // Text is validated when submitted, and from then on at every change.
    box.onDidChangeValue((text) => {
      if (box.validationMessage) box.validationMessage = validate(text);
    });
    box.onDidAccept(() => submit());
    box.onDidTriggerButton((button) =>
      'fix' in button && button.fix === 'saveAnyway' ? submit(button) : resolve({ text: box.value, button }),
    );
    box.onDidHide(() => resolve(undefined));
    box.show();
  }).finally(() => box.dispose());
}

/** Asks before a key is sent without encryption. */
export function confirmUnencrypted(baseUrl: string): Promise<boolean> {
  return confirm(
    t`Send the API key to ${escapeMessage(new URL(baseUrl).host)} without encryption?`,
    [
      t('The URL begins with http://, so anyone between you and this host can read the key and send emails with it.'),
      t('Use https:// if the service supports it.'),
    ],
    t('Use http:// Anyway'),
  );
}

/** Returns where users find the key of a service. */
export function getKeyPrompt(): string {
  return t(
    "Enter the API key from Configuration > Security > REST API. Before AcyMailing 11, enter the license key from the License tab. It is stored in your system's secret storage.",
  );
}

/** Returns why a text can't be an API key, or undefined if it can. Keys are sent in a header, so they must not contain line breaks. */
export function getKeyProblem(text: string): string | undefined {
  const key = text.trim();
  if (key === '') return t('The API key is empty.');
  return /^[\x21-\x7e]+$/.test(key)
    ? undefined
    : t('An API key has no spaces or special characters. Copy it again, completely and without other text.');
}

function suggestName(siteName: string | undefined, baseUrl: string) {
  const named = escapeMessage(siteName ?? '', 60);
  return named === '' ? new URL(baseUrl).hostname.replace(/^www\./, '') : named;
}
