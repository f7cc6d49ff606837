import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

interface Message {
  readonly type: string;
}

/** A webview panel whose page is simulated by the test: records messages to the page, and sends the test's messages. */
export class TestPage<FromPage extends Message, ToPage extends Message> {
  readonly panel: vscode.WebviewPanel;
  /** Messages to the page since it was loaded, oldest first. */
  readonly received: ToPage[] = [];
  readonly #messages = new vscode.EventEmitter<object>();
  readonly #viewStates = new vscode.EventEmitter<vscode.WebviewPanelOnDidChangeViewStateEvent>();
  readonly #disposals = new vscode.EventEmitter<void>();
  #isVisible = true;

  constructor() {
    const isVisible = () => this.#isVisible;
    this.panel = {
      viewType: 'test',
      title: 'Test',
      options: {},
      viewColumn: vscode.ViewColumn.One,
      webview: {
        options: {},
        html: '',
        cspSource: 'https://page.example',
        onDidReceiveMessage: this.#messages.event,
        asWebviewUri: (uri) => uri,
        postMessage: async (message: object) => {
          // Like VS Code, throws for messages that can't be cloned.
          this.received.push(structuredClone(message) as ToPage);
          return true;
        },
      },
      get active() {
        return isVisible();
      },
      get visible() {
        return isVisible();
      },
      onDidChangeViewState: this.#viewStates.event,
      onDidDispose: this.#disposals.event,
      reveal: () => this.show(),
      dispose: () => this.#disposals.fire(),
    };
  }

  say(message: FromPage): void {
    this.#messages.fire(message);
  }

  /** Hides the tab. VS Code unloads its page. */
  hide(): void {
    this.#isVisible = false;
    this.#viewStates.fire({ webviewPanel: this.panel });
  }

  /** Shows the tab again. VS Code reloads its page. */
  show(): void {
    this.#isVisible = true;
    this.#viewStates.fire({ webviewPanel: this.panel });
    this.received.length = 0;
  }

  all<Type extends ToPage['type']>(type: Type): Extract<ToPage, { type: Type }>[] {
    return this.received.filter((message): message is Extract<ToPage, { type: Type }> => message.type === type);
  }

  /** Waits until the last message of a type passes `check`. */
  async until<Type extends ToPage['type']>(
    type: Type,
    check: (message: Extract<ToPage, { type: Type }>) => void,
  ): Promise<Extract<ToPage, { type: Type }>> {
    return eventually(() => {
      const message = this.all(type).at(-1);
      assert.ok(message, `no message "${type}" among ${this.received.map((one) => one.type).join()}`);
      check(message);
      return message;
    });
  }
}
