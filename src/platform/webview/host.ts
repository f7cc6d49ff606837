/** What VS Code gives to a webview's page. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The extension's side of a page: typed messages both ways, and a state that outlives the page. */
export interface Host<In, Out, State> {
  post(message: Out): void;
  listen(handler: (message: In) => void): void;
  getState(): State | undefined;
  setState(state: State): void;
}

/** To be called once: VS Code hands its interface out a single time. */
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
        // Frames in the page could post to it as well: only what has a type is a message of the extension's.
        if (typeof data === 'object' && data !== null && typeof data.type === 'string') handler(data);
      });
    },
    getState: () => api.getState() as State | undefined,
    setState: (state) => api.setState(state),
  };
}
