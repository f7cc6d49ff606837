import * as vscode from 'vscode';

/** UI shown while a task runs: Quick Picks and input boxes, which are dismissed, and webview panels without a page. */
export interface RecordedWindow {
  /** Titles, placeholders and items of Quick Picks; titles, messages and buttons of input boxes. */
  readonly picks: readonly string[];
  readonly panels: readonly Panel[];
}

/** A webview panel whose page is the test. */
export class Panel implements vscode.WebviewPanel {
  readonly #disposed = new vscode.EventEmitter<void>();
  readonly #changed = new vscode.EventEmitter<vscode.WebviewPanelOnDidChangeViewStateEvent>();
  readonly #messages = new vscode.EventEmitter<object>();
  readonly onDidDispose = this.#disposed.event;
  readonly onDidChangeViewState = this.#changed.event;
  readonly options = {};
  readonly active = true;
  readonly visible = true;
  readonly viewColumn = vscode.ViewColumn.One;
  readonly viewType: string;
  /** Messages from the extension, oldest first. */
  readonly posted: object[] = [];
  readonly webview: vscode.Webview;
  title: string;

  constructor(viewType: string, title: string) {
    this.viewType = viewType;
    this.title = title;
    this.webview = {
      options: {},
      html: '',
      cspSource: 'https://page.example',
      onDidReceiveMessage: this.#messages.event,
      postMessage: (message: object) => {
        this.posted.push(message);
        return Promise.resolve(true);
      },
      asWebviewUri: (uri) => uri,
    };
  }

  /** Sends a message to the extension, as the page would. */
  sendMessage(message: object): void {
    this.#messages.fire(message);
  }

  reveal(): void {
    this.#changed.fire({ webviewPanel: this });
  }

  dispose(): void {
    this.#disposed.fire();
  }
}

/** View type of the review before sending. */
export const sendReviewType = 'mailing.sendReview';

/** Continues a review before sending as soon as it is ready. */
export function continueAutomatically(panel: Panel): Panel {
  setImmediate(() => {
    panel.sendMessage({ type: 'ready' });
    panel.sendMessage({ type: 'continue' });
  });
  return panel;
}

/** Runs a task with dismissed Quick Picks and input boxes, and recorded panels. */
export async function recordWindow<T>(task: (window: RecordedWindow) => Promise<T>): Promise<T> {
  const picks: string[] = [];
  const panels: Panel[] = [];
  const { showQuickPick, createInputBox, createWebviewPanel } = vscode.window;
  const replace = (name: 'showQuickPick' | 'createInputBox' | 'createWebviewPanel', value: object) => {
    Object.defineProperty(vscode.window, name, { configurable: true, writable: true, value });
  };
  replace(
    'showQuickPick',
    async (
      items: readonly vscode.QuickPickItem[] | Thenable<readonly vscode.QuickPickItem[]>,
      options?: vscode.QuickPickOptions,
    ) => {
      const words = (await items).map(({ label, description, detail }) =>
        [label, description, detail].filter(Boolean).join(' '),
      );
      picks.push([options?.title, options?.placeHolder, ...words].filter(Boolean).join('\n'));
      return undefined;
    },
  );
  replace('createInputBox', () => {
    const box = createInputBox();
    const show = box.show.bind(box);
    box.show = () => {
      const { title, prompt, validationMessage, buttons } = box;
      const message = typeof validationMessage === 'object' ? validationMessage.message : validationMessage;
      picks.push([title, prompt, message, ...buttons.map(({ tooltip }) => tooltip)].filter(Boolean).join('\n'));
      show();
      box.hide();
    };
    return box;
  });
  replace('createWebviewPanel', (viewType: string, title: string) => {
    const panel = new Panel(viewType, title);
    if (viewType === sendReviewType) return continueAutomatically(panel);
    panels.push(panel);
    return panel;
  });
  try {
    return await task({ picks, panels });
  } finally {
    for (const panel of panels) panel.dispose();
    replace('showQuickPick', showQuickPick);
    replace('createInputBox', createInputBox);
    replace('createWebviewPanel', createWebviewPanel);
  }
}
