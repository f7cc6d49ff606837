import * as vscode from 'vscode';

/** What the window shows while a task runs, beside messages: quick picks, which are closed, and webview panels, which have no page. */
export interface RecordedWindow {
  /** Titles, hints and choices of quick picks. */
  readonly picks: readonly string[];
  readonly panels: readonly Panel[];
}

/** A webview panel as the extension sees it; the test is its page. */
export class Panel implements vscode.WebviewPanel {
  readonly #disposed = new vscode.EventEmitter<void>();
  readonly #changed = new vscode.EventEmitter<vscode.WebviewPanelOnDidChangeViewStateEvent>();
  readonly #said = new vscode.EventEmitter<unknown>();
  readonly onDidDispose = this.#disposed.event;
  readonly onDidChangeViewState = this.#changed.event;
  readonly options = {};
  readonly active = true;
  readonly visible = true;
  readonly viewColumn = vscode.ViewColumn.One;
  readonly viewType: string;
  /** What the extension has posted, oldest first. */
  readonly posted: unknown[] = [];
  readonly webview: vscode.Webview;
  title: string;

  constructor(viewType: string, title: string) {
    this.viewType = viewType;
    this.title = title;
    this.webview = {
      options: {},
      html: '',
      cspSource: 'https://page.example',
      onDidReceiveMessage: this.#said.event,
      postMessage: (message: unknown) => {
        this.posted.push(message);
        return Promise.resolve(true);
      },
      asWebviewUri: (uri) => uri,
    };
  }

  /** Says something to the extension, as the page would. */
  sendMessage(message: unknown): void {
    this.#said.fire(message);
  }

  reveal(): void {
    this.#changed.fire({ webviewPanel: this });
  }

  dispose(): void {
    this.#disposed.fire();
  }
}

/** Type of the panel that shows what is about to go out. */
export const sendReviewType = 'mailing.sendReview';

/** A last look whose user goes on as soon as it shows something. */
export function continueAutomatically(panel: Panel): Panel {
  setImmediate(() => {
    panel.sendMessage({ type: 'ready' });
    panel.sendMessage({ type: 'continue' });
  });
  return panel;
}

/** Runs a task in a window whose quick picks are closed and whose panels are the test's. */
export async function recordWindow<T>(task: (seen: RecordedWindow) => Promise<T>): Promise<T> {
  const picks: string[] = [];
  const panels: Panel[] = [];
  const { showQuickPick, createWebviewPanel } = vscode.window;
  const replace = (name: 'showQuickPick' | 'createWebviewPanel', value: unknown): void => {
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
    replace('createWebviewPanel', createWebviewPanel);
  }
}
