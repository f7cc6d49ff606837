import * as vscode from 'vscode';
import { isApiError, type ApiError } from '../../service/client/errors.ts';
import { confirm } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import { escapeMessage } from '../ui/text.ts';
import { errorText } from '../ui/errors.ts';
import { parseBaseUrl } from '../../service/client/address.ts';
import type { ProfileName } from './model.ts';
import { listFixes, normalizeTypedUrl, sendsKeyUnencrypted, type Fix } from './network.ts';
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

const fixLabels: Readonly<Record<Fix, string>> = {
  retry: '$(refresh) Try again',
  takeRedirect: '$(arrow-right) Use the new address',
  editConnection: '$(edit) Correct the address',
  setApiKey: '$(key) Correct the API key',
  saveAnyway: '$(save) Save anyway',
};

/** Asks for missing values, tests the connection, and lets the user fix problems without starting over. */
export class ConnectionWizard {
  readonly #title: string;
  readonly #fieldsToAsk: Set<DraftField>;
  /** A given profile overrides the probed one. */
  readonly #fixedProfile: ProfileName | undefined;
  #draft: ConnectionDraft;
  #siteName: string | undefined;
  #acceptedUnencryptedUrl: string | undefined;
  #isConnected = false;

  /** @param alsoAsk fields to ask for even if the draft has them */
  constructor(title: string, draft: ConnectionDraft, alsoAsk: readonly DraftField[] = []) {
    this.#title = title;
    this.#draft = draft;
    this.#fixedProfile = draft.profile;
    this.#fieldsToAsk = new Set(FIELD_ORDER.filter((part) => draft[part] === undefined || alsoAsk.includes(part)));
  }

  /** Returns undefined if the user cancels. */
  async run(): Promise<CompletedDraft | undefined> {
    const steps: Readonly<Record<Step, () => Promise<NextStep>>> = {
      baseUrl: () => this.#askUrl(),
      apiKey: () => this.#askKey(),
      probe: () => this.#probe(),
      name: () => this.#askName(),
    };
    let step: NextStep = 'baseUrl';
    while (step !== 'done' && step !== 'canceled') step = await steps[step]();
    const { baseUrl, apiKey, name, profile } = this.#draft;
    if (step === 'canceled' || baseUrl === undefined || apiKey === undefined || name === undefined) return undefined;
    return { baseUrl, apiKey, name, profile: profile ?? 'documented', isConnected: this.#isConnected };
  }

  async #askUrl(): Promise<NextStep> {
    const answer = await this.#prompt('baseUrl', {
      prompt: 'Address of the site that runs the mailing service, with its path where it has one',
      placeholder: 'https://example.com/site',
      value: this.#draft.baseUrl ?? '',
      validate: (text) => {
        const parsed = parseBaseUrl(normalizeTypedUrl(text));
        return parsed.ok ? undefined : parsed.problem;
      },
    });
    if (typeof answer === 'object') return answer.nextStep;
    const parsed = parseBaseUrl(normalizeTypedUrl(answer ?? this.#draft.baseUrl ?? ''));
    if (!parsed.ok) throw new Error(parsed.problem);
    this.#draft = { ...this.#draft, baseUrl: parsed.url };
    return this.#confirmUnencrypted(parsed.url);
  }

  /** Sending a key without encryption needs a confirmation for each address. */
  async #confirmUnencrypted(baseUrl: string): Promise<NextStep> {
    if (!sendsKeyUnencrypted(baseUrl) || this.#acceptedUnencryptedUrl === baseUrl) return 'apiKey';
    const isAccepted = await confirmUnencrypted(baseUrl);
    if (!isAccepted) return this.#fieldsToAsk.has('baseUrl') ? 'baseUrl' : 'canceled';
    this.#acceptedUnencryptedUrl = baseUrl;
    return 'apiKey';
  }

  async #askKey(): Promise<NextStep> {
    const answer = await this.#prompt('apiKey', {
      prompt:
        "API key, from the service's configuration page, tab License. Your system's secret storage will store it.",
      password: true,
      value: this.#draft.apiKey ?? '',
      validate: getKeyProblem,
    });
    if (typeof answer === 'object') return answer.nextStep;
    const apiKey = (answer ?? this.#draft.apiKey ?? '').trim();
    const problem = getKeyProblem(apiKey);
    if (problem !== undefined) throw new Error(problem);
    this.#draft = { ...this.#draft, apiKey };
    return 'probe';
  }

  async #probe(): Promise<NextStep> {
    const { baseUrl = '', apiKey = '' } = this.#draft;
    this.#isConnected = false;
    try {
      const probed = await withProgress(`Connecting to ${escapeMessage(new URL(baseUrl).host)}…`, (signal) =>
        probeAddress(baseUrl, apiKey, signal),
      );
      this.#draft = { ...this.#draft, profile: this.#fixedProfile ?? probed.profile };
      this.#siteName = probed.siteName;
      this.#isConnected = true;
      return 'name';
    } catch (error) {
      if (!isApiError(error)) throw error;
      return this.#offerFixes(error, baseUrl);
    }
  }

  async #offerFixes(error: ApiError, baseUrl: string): Promise<NextStep> {
    const usesProxy = getRoute(baseUrl).proxy !== false;
    const descriptions: Partial<Record<Fix, string>> = {
      retry: usesProxy ? 'Connects through a proxy: see http.proxy and http.noProxy in the settings.' : '',
      takeRedirect: error.location ?? '',
      saveAnyway: 'You can test and edit the connection later.',
    };
    const items = listFixes(error, usesProxy).map((fix) => ({
      fix,
      label: fixLabels[fix],
      description: escapeMessage(descriptions[fix] ?? '', 200),
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      title: errorText(error),
      placeHolder: `Couldn't connect to ${escapeMessage(new URL(baseUrl).host, 100)}`,
      ignoreFocusOut: true,
    });
    const stepsByFix: Readonly<Record<Fix, () => NextStep | Promise<NextStep>>> = {
      retry: () => 'probe',
      editConnection: () => this.#askAgain('baseUrl'),
      setApiKey: () => this.#askAgain('apiKey'),
      saveAnyway: () => 'name',
      takeRedirect: () => this.#takeRedirect(error.location ?? ''),
    };
    return chosen === undefined ? 'canceled' : stepsByFix[chosen.fix]();
  }

  /** Sends the key to the new address only after the user chose it explicitly. */
  async #takeRedirect(location: string): Promise<NextStep> {
    const parsed = parseBaseUrl(normalizeTypedUrl(location));
    if (!parsed.ok) return this.#askAgain('baseUrl');
    this.#draft = { ...this.#draft, baseUrl: parsed.url };
    const nextStep = await this.#confirmUnencrypted(parsed.url);
    return nextStep === 'apiKey' ? 'probe' : nextStep;
  }

  async #askName(): Promise<NextStep> {
    const { name, baseUrl = '' } = this.#draft;
    const answer = await this.#prompt('name', {
      prompt: 'Name shown in the tree',
      value: name ?? suggestName(this.#siteName, baseUrl),
      validate: (text) => (text.trim() === '' ? 'The name is empty.' : undefined),
    });
    if (typeof answer === 'object') return answer.nextStep;
    this.#draft = { ...this.#draft, name: (answer ?? name ?? '').trim() };
    return 'done';
  }

  #askAgain(field: DraftField): DraftField {
    this.#fieldsToAsk.add(field);
    return field;
  }

  /** Asks for a field if needed. Returns the text, undefined if the field isn't asked for, or the next step if there is no text. */
  async #prompt(
    field: DraftField,
    options: PromptOptions,
  ): Promise<string | undefined | { readonly nextStep: NextStep }> {
    if (!this.#fieldsToAsk.has(field)) return undefined;
    const fields = FIELD_ORDER.filter((other) => this.#fieldsToAsk.has(other));
    const index = fields.indexOf(field);
    const answer = await promptForStep({
      ...options,
      title: this.#title,
      step: index + 1,
      totalSteps: fields.length,
      buttons: index > 0 ? [vscode.QuickInputButtons.Back] : [],
    });
    if (answer === undefined) return { nextStep: 'canceled' };
    return typeof answer === 'string' ? answer : { nextStep: fields[index - 1] ?? 'canceled' };
  }
}

interface PromptOptions extends Partial<Pick<vscode.InputBox, 'placeholder' | 'value' | 'password'>> {
  readonly prompt: string;
  /** Returns why a text is invalid, or undefined if it is valid. */
  validate(text: string): string | undefined;
}

/**
 * Asks for a line of text. Stays open without focus, so that the user can copy a key from elsewhere. Resolves with the Back button if the
 * user pressed it, and with undefined if the user cancels.
 */
function promptForStep({
  validate,
  ...options
}: PromptOptions & Partial<vscode.InputBox>): Promise<string | vscode.QuickInputButton | undefined> {
  const box = Object.assign(vscode.window.createInputBox(), { ...options, ignoreFocusOut: true });
  return new Promise<string | vscode.QuickInputButton | undefined>((resolve) => {
    // Text is validated when submitted, and from then on at every change.
    box.onDidChangeValue((text) => {
      if (box.validationMessage) box.validationMessage = validate(text);
    });
    box.onDidAccept(() => {
      box.validationMessage = validate(box.value);
      if (box.validationMessage === undefined) resolve(box.value);
    });
    box.onDidTriggerButton(resolve);
    box.onDidHide(() => resolve(undefined));
    box.show();
  }).finally(() => box.dispose());
}

/** Asks before a key is sent without encryption. */
export function confirmUnencrypted(baseUrl: string): Promise<boolean> {
  return confirm(
    `Send the API key to ${escapeMessage(new URL(baseUrl).host)} without encryption?`,
    [
      'The address begins with http://, so everyone on the way to this host can read the key and use it to send emails.',
      'Use https:// where the service offers it.',
    ],
    'Use http:// Anyway',
  );
}

/** Returns why a text can't be an API key, or undefined if it can. Keys are sent in a header, so they must not contain line breaks. */
export function getKeyProblem(text: string): string | undefined {
  const key = text.trim();
  if (key === '') return 'The API key is empty.';
  return /^[\x21-\x7e]+$/.test(key)
    ? undefined
    : 'An API key has no spaces and no special characters: it may have been copied incompletely, or with something else.';
}

function suggestName(siteName: string | undefined, baseUrl: string): string {
  const named = escapeMessage(siteName ?? '', 60);
  return named === '' ? new URL(baseUrl).hostname.replace(/^www\./, '') : named;
}
