import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';

/** A message that waits for an answer. */
export interface Message {
  readonly text: string;
  readonly buttons: readonly string[];
  /** Presses a button; without one, closes the message. */
  answer(button?: string): void;
}

const methods = ['showErrorMessage', 'showWarningMessage', 'showInformationMessage'] as const;

/** Takes the place of the user's eyes and hand: messages stay until the test answers them. */
export class Screen {
  /** Messages that were not answered yet, oldest first. */
  readonly messages: Message[] = [];
  readonly #originals = methods.map((name) => [name, vscode.window[name]] as const);

  constructor() {
    for (const name of methods)
      replace(name, (text: string, ...rest: readonly (object | string | undefined)[]) => this.#show(text, rest));
  }

  /** Closes all messages and restores the window's own functions. */
  end(): void {
    for (const message of [...this.messages]) message.answer();
    for (const [name, original] of this.#originals) replace(name, original);
  }

  /** Waits for a message that says this. */
  async find(text: RegExp): Promise<Message> {
    return eventually(() => {
      const found = this.messages.find((message) => text.test(message.text));
      assert.ok(found, `No message says ${text}: ${this.messages.map((message) => message.text).join(' | ')}`);
      return found;
    });
  }

  #show(text: string, rest: readonly (object | string | undefined)[]): Promise<object | string | undefined> {
    const options = rest.filter((part) => typeof part === 'string' || (typeof part === 'object' && 'title' in part));
    const titles = options.map((option) =>
      typeof option === 'string' ? option : String((option as vscode.MessageItem).title),
    );
    return new Promise((resolve) => {
      const message: Message = {
        text,
        buttons: titles,
        answer: (button) => {
          this.messages.splice(this.messages.indexOf(message), 1);
          // The window answers after it received whatever the extension sent it before, such as the result of the save that asks.
          const answered = vscode.commands.executeCommand('noop');
          void answered.then(() => resolve(button === undefined ? undefined : options[titles.indexOf(button)]));
        },
      };
      this.messages.push(message);
    });
  }
}

function replace(name: string, value: object) {
  Object.defineProperty(vscode.window, name, { configurable: true, writable: true, value });
}
