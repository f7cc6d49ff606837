import './base.css';
import { setDisplayLanguage, type DisplayLanguage } from '../../l10n.ts';
import { Debouncer } from '../async.ts';
import type { MessageHandlers, TypedMessage } from '../protocol.ts';

/** The API that VS Code provides to a webview's page. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

const STATE_DEBOUNCE_MS = 100;

/** A page's connection to the extension: typed messages, and a state that VS Code stores. */
export type Host<In extends TypedMessage, Out, State> = ReturnType<typeof connectHost<In, Out, State>>;

/** Connects to VS Code and sets the display language. Call it once: VS Code provides its API only once. */
export function connectHost<In extends TypedMessage, Out, State = undefined>() {
  const texts = document.getElementById('texts')?.textContent;
  setDisplayLanguage({
    language: document.documentElement.lang,
    texts: texts ? (JSON.parse(texts) as DisplayLanguage['texts']) : undefined,
  });
  const api = acquireVsCodeApi();
  const saves = new Debouncer(STATE_DEBOUNCE_MS);
  return {
    post: (message: Out) => api.postMessage(message),
    /** Calls the handlers of later messages, and asks for the first ones. */
    start: (handlers: MessageHandlers<In>) => {
      window.addEventListener('message', ({ data }: MessageEvent<In | null>) => {
        // Frames in the page can post messages too. Only messages with a type come from the extension.
        const type: In['type'] | undefined = data?.type;
        // Another version of the extension may post other types.
        if (typeof type === 'string' && Object.hasOwn(handlers, type))
          (handlers[type] as (message: In | null) => unknown)(data);
      });
      api.postMessage({ type: 'ready' });
    },
    getState: () => api.getState() as State | undefined,
    setState: (state: State) => api.setState(state),
    /** Stores the state a little later, as it is then. */
    saveState: (getState: () => State) => saves.run(() => api.setState(getState())),
  };
}
