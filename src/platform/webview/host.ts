import type { MessageHandlers } from './messages.ts';

/** The API that VS Code provides to a webview's page. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** A page's connection to the extension: typed messages, and a state that VS Code stores. */
export interface Host<In extends { readonly type: string }, Out, State> {
  post(message: Out): void;
  /** Calls the handlers of later messages, and asks for the first ones. */
  start(handlers: MessageHandlers<In>): void;
  getState(): State | undefined;
  setState(state: State): void;
}

/** Connects to VS Code. Call it once: VS Code provides its API only once. */
export function connectHost<In extends { readonly type: string }, Out, State = undefined>(): Host<In, Out, State> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    start: (handlers) => {
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
    setState: (state) => api.setState(state),
  };
}
