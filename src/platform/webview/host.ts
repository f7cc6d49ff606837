/** The API that VS Code provides to a webview's page. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** A page's connection to the extension: typed messages, and a state that VS Code stores. */
export interface Host<In, Out, State> {
  post(message: Out): void;
  listen(handler: (message: In) => void): void;
  getState(): State | undefined;
  setState(state: State): void;
}

/** Connects to VS Code. Call it once: VS Code provides its API only once. */
export function connectHost<In extends { readonly type: string }, Out extends { readonly type: string }, State>(): Host<
  In,
  Out,
  State
> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    listen: (handler) => {
      window.addEventListener('message', ({ data }: MessageEvent<In>) => {
        // Frames in the page can post messages too. Only messages with a type come from the extension.
        if (typeof data === 'object' && data !== null && typeof data.type === 'string') handler(data);
      });
    },
    getState: () => api.getState() as State | undefined,
    setState: (state) => api.setState(state),
  };
}
