import { isApiError, type ApiError } from '../../service/client/errors.ts';
import { confirm } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import { escapeMessage } from '../ui/text.ts';
import { errorText } from '../ui/errors.ts';
import type { Connections } from './connections.ts';
import { diagnose, type Fix } from './diagnosis.ts';
import { promptForText, BACK, pickItem } from './input.ts';
import type { ProfileName } from './model.ts';
import { getRoute } from './open.ts';
import { parseBaseUrl, sendsKeyUnencrypted, normalizeTypedUrl } from './url.ts';

/** What is known of a connection that is being made or changed. */
export interface ConnectionDraft {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly name?: string;
  readonly profile?: ProfileName;
}

/** A connection whose every part is known, tried out where the user didn't insist. */
interface CompletedDraft {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly name: string;
  readonly profile: ProfileName;
  /** False where it is to be kept although it could not be connected. */
  readonly isConnected: boolean;
}

/** The questions, in their order. */
type DraftField = 'baseUrl' | 'apiKey' | 'name';
type Step = DraftField | 'probe';
type NextStep = Step | 'done' | 'cancelled';

const FIELD_ORDER: readonly DraftField[] = ['baseUrl', 'apiKey', 'name'];

const fixLabels: Readonly<Record<Fix, string>> = {
  retry: '$(refresh) Try again',
  takeRedirect: '$(arrow-right) Use the new address',
  correctUrl: '$(edit) Correct the address',
  correctKey: '$(key) Correct the API key',
  saveAnyway: '$(save) Save anyway',
};

/** Asks for what is missing of a connection, tries it, and lets the user mend what is wrong without entering all of it again. */
export class ConnectionWizard {
  readonly #connections: Connections;
  readonly #title: string;
  readonly #fieldsToAsk: Set<DraftField>;
  /** A profile that was given is not found out. */
  readonly #fixedProfile: ProfileName | undefined;
  #draft: ConnectionDraft;
  #siteName: string | undefined;
  #acceptedUnencryptedUrl: string | undefined;
  #isConnected = false;

  /** `ask` names what is asked for although the draft has it. */
  constructor(connections: Connections, title: string, draft: ConnectionDraft, alsoAsk: readonly DraftField[] = []) {
    this.#connections = connections;
    this.#title = title;
    this.#draft = draft;
    this.#fixedProfile = draft.profile;
    this.#fieldsToAsk = new Set(FIELD_ORDER.filter((part) => draft[part] === undefined || alsoAsk.includes(part)));
  }

  /** Undefined where the user cancelled. */
  async run(): Promise<CompletedDraft | undefined> {
    const steps: Readonly<Record<Step, () => Promise<NextStep>>> = {
      baseUrl: () => this.#askUrl(),
      apiKey: () => this.#askKey(),
      probe: () => this.#probe(),
      name: () => this.#askName(),
    };
    let move: NextStep = 'baseUrl';
    while (move !== 'done' && move !== 'cancelled') move = await steps[move]();
    const { baseUrl, apiKey, name, profile } = this.#draft;
    if (move === 'cancelled' || baseUrl === undefined || apiKey === undefined || name === undefined) return undefined;
    return { baseUrl, apiKey, name, profile: profile ?? 'documented', isConnected: this.#isConnected };
  }

  async #askUrl(): Promise<NextStep> {
    const answer = await this.#prompt('baseUrl', {
      prompt: 'Address of the site that runs the mailing service, with its path where it has one',
      placeholder: 'https://example.com/site',
      value: this.#draft.baseUrl,
      validate: (text) => {
        const parsed = parseBaseUrl(normalizeTypedUrl(text));
        return parsed.ok ? undefined : parsed.problem;
      },
    });
    if (typeof answer === 'object') return answer.move;
    const parsed = parseBaseUrl(normalizeTypedUrl(answer ?? this.#draft.baseUrl ?? ''));
    if (!parsed.ok) throw new Error(parsed.problem);
    this.#draft = { ...this.#draft, baseUrl: parsed.url };
    return this.#confirmUnencrypted(parsed.url);
  }

  /** Before a key may travel where others can read it, the user must have said so, for this very address. */
  async #confirmUnencrypted(baseUrl: string): Promise<NextStep> {
    if (!sendsKeyUnencrypted(baseUrl) || this.#acceptedUnencryptedUrl === baseUrl) return 'apiKey';
    const accepted = await confirmUnencrypted(baseUrl);
    if (!accepted) return this.#fieldsToAsk.has('baseUrl') ? 'baseUrl' : 'cancelled';
    this.#acceptedUnencryptedUrl = baseUrl;
    return 'apiKey';
  }

  async #askKey(): Promise<NextStep> {
    const answer = await this.#prompt('apiKey', {
      prompt:
        "API key, from the service's configuration page, tab License. It is kept in the secret store of your system.",
      password: true,
      value: this.#draft.apiKey,
      validate: getKeyProblem,
    });
    if (typeof answer === 'object') return answer.move;
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
      const found = await withProgress(`Connecting to ${escapeMessage(new URL(baseUrl).host)}…`, (signal) =>
        this.#connections.probe(baseUrl, apiKey, signal),
      );
      this.#draft = { ...this.#draft, profile: this.#fixedProfile ?? found.profile };
      this.#siteName = found.siteName;
      this.#isConnected = true;
      return 'name';
    } catch (error) {
      if (!isApiError(error)) throw error;
      return this.#offerFixes(error, baseUrl);
    }
  }

  async #offerFixes(error: ApiError, baseUrl: string): Promise<NextStep> {
    const { proxy, timeoutMs } = getRoute(baseUrl);
    const { title, hint, fixes } = diagnose(error, { baseUrl, usesProxy: proxy !== false, timeoutMs });
    const details: Partial<Record<Fix, string>> = {
      takeRedirect: error.location ?? '',
      saveAnyway: 'It can be tested and edited later.',
    };
    const items = fixes.map((value, index) => ({
      value,
      label: fixLabels[value],
      description: escapeMessage(details[value] ?? '', 200),
      ...(index === 0 ? { detail: hint } : {}),
    }));
    const fix = await pickItem(escapeMessage(title, 200), errorText(error), items);
    const moves: Readonly<Record<Fix, () => NextStep | Promise<NextStep>>> = {
      retry: () => 'probe',
      correctUrl: () => this.#askAgain('baseUrl'),
      correctKey: () => this.#askAgain('apiKey'),
      saveAnyway: () => 'name',
      takeRedirect: () => this.#takeRedirect(error.location ?? ''),
    };
    return fix === undefined ? 'cancelled' : moves[fix]();
  }

  /** The key goes to the new address only after the user chose it by name. */
  async #takeRedirect(location: string): Promise<NextStep> {
    const parsed = parseBaseUrl(normalizeTypedUrl(location));
    if (!parsed.ok) return this.#askAgain('baseUrl');
    this.#draft = { ...this.#draft, baseUrl: parsed.url };
    const move = await this.#confirmUnencrypted(parsed.url);
    return move === 'apiKey' ? 'probe' : move;
  }

  async #askName(): Promise<NextStep> {
    const { name, baseUrl = '' } = this.#draft;
    const answer = await this.#prompt('name', {
      prompt: 'Name shown in the tree',
      value: name ?? suggestName(this.#siteName, baseUrl),
      validate: (text) => (text.trim() === '' ? 'The name is empty.' : undefined),
    });
    if (typeof answer === 'object') return answer.move;
    this.#draft = { ...this.#draft, name: (answer ?? name ?? '').trim() };
    return 'done';
  }

  #askAgain(part: DraftField): DraftField {
    this.#fieldsToAsk.add(part);
    return part;
  }

  /** Asks, where this is among what is asked for: the text, undefined where it isn't asked, or the move where none was given. */
  async #prompt(part: DraftField, options: PromptOptions): Promise<string | undefined | { readonly move: NextStep }> {
    if (!this.#fieldsToAsk.has(part)) return undefined;
    const asked = FIELD_ORDER.filter((other) => this.#fieldsToAsk.has(other));
    const index = asked.indexOf(part);
    const answer = await promptForText({
      ...options,
      title: this.#title,
      step: index + 1,
      totalSteps: asked.length,
      canGoBack: index > 0,
    });
    if (answer === undefined) return { move: 'cancelled' };
    return answer === BACK ? { move: asked[index - 1] ?? 'cancelled' } : answer;
  }
}

type PromptOptions = Omit<Parameters<typeof promptForText>[0], 'title' | 'step' | 'totalSteps' | 'canGoBack'>;

/** Asks before a key is sent where others can read it. */
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

/** Why a text can't be an API key, or nothing where it can. A key is sent as a header: a line break would end it. */
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
