import './base.css';
import { type DisplayLanguage, setDisplayLanguage, t } from '../../l10n.ts';
import { Debouncer } from '../async.ts';
import type { MessageHandlers, RequestTypes, ResponseMessage, TypedMessage } from '../protocol.ts';

/** The API that VS Code provides to a webview's page. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

const STATE_DEBOUNCE_MS = 100;
const RESPONSE_TIMEOUT_MS = 300_000;

/**
 * A page's connection to the extension: typed messages, requests with responses, and a state that VS Code stores. Create it once, before any text: it
 * sets the display language. Each request always ends: with its response, when it is canceled, or after a timeout.
 */
export class Channel<In extends TypedMessage, Out, State = undefined, Requests extends RequestTypes = RequestTypes> {
  readonly #api: WebviewApi;
  readonly #saves = new Debouncer(STATE_DEBOUNCE_MS);
  /** Settles the requests that have no response yet, by id. */
  readonly #pending = new Map<number, (response: ResponseMessage) => void>();
  #lastId = 0;

  constructor() {
    const texts = document.getElementById('texts')?.textContent;
    setDisplayLanguage({
      language: document.documentElement.lang,
      texts: texts ? (JSON.parse(texts) as DisplayLanguage['texts']) : undefined,
    });
    this.#api = acquireVsCodeApi();
  }

  post(message: Out): void {
    this.#api.postMessage(message);
  }

  /** Returns the extension's response, or rejects with its error. Aborting the signal also cancels the extension's work. */
  request<Name extends keyof Requests & string>(
    name: Name,
    params: Requests[Name]['params'],
    signal: AbortSignal,
  ): Promise<Requests[Name]['result']> {
    const requestId = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      const cancel = () => {
        if (!this.#pending.delete(requestId)) return;
        this.#api.postMessage({ type: 'cancelRequest', requestId });
        reject(new Error(t("The service didn't respond in time.")));
      };
      const timeout = setTimeout(cancel, RESPONSE_TIMEOUT_MS);
      signal.addEventListener('abort', cancel);
      this.#pending.set(requestId, ({ error, result }) => {
        clearTimeout(timeout);
        if (error === undefined) resolve(result);
        else reject(new Error(error));
      });
      this.#api.postMessage({ ...params, type: name, requestId });
    });
  }

  /** Calls the handlers of later messages, and asks for the first ones. */
  start(handlers: MessageHandlers<In>): void {
    const response = (message: ResponseMessage) => {
      this.#pending.get(message.requestId)?.(message);
      this.#pending.delete(message.requestId);
    };
    const all = { ...handlers, response };
    window.addEventListener('message', ({ data }: MessageEvent<TypedMessage | null>) => {
      // Frames in the page can post messages too. Only messages with a type come from the extension.
      const type = data?.type;
      // Another version of the extension may post other types.
      if (typeof type === 'string' && Object.hasOwn(all, type))
        (all[type as keyof typeof all] as (message: TypedMessage | null) => unknown)(data);
    });
    this.#api.postMessage({ type: 'ready' });
  }

  getState(): State | undefined {
    return this.#api.getState() as State | undefined;
  }

  setState(state: State): void {
    this.#api.setState(state);
  }

  /** Stores the state a little later, as it is then. */
  saveState(getState: () => State): void {
    this.#saves.run(() => this.setState(getState()));
  }
}
