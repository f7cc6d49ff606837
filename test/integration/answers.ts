import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sendReviewType, Panel, continueAutomatically } from './faults/window.ts';

/** A captured message. */
export interface Shown {
  readonly text: string;
  readonly detail: string | undefined;
  readonly modal: boolean;
  readonly buttons: readonly string[];
}

type Show = typeof vscode.window.showWarningMessage;
type Method = 'showErrorMessage' | 'showWarningMessage' | 'showInformationMessage';

const methods: readonly Method[] = ['showErrorMessage', 'showWarningMessage', 'showInformationMessage'];

/** The answer: the title of a button, one of several titles, or none. A function can act before it answers. */
export type Answer = string | readonly string[] | undefined | ((message: Shown) => PromiseLike<string | undefined>);

/** Asserts that a message was shown whose text or detail matches. */
export function assertShown(shown: readonly Shown[], pattern: RegExp): void {
  const isShown = shown.some(({ text, detail = '' }) => pattern.test(text) || pattern.test(`${text}\n${detail}`));
  assert.ok(isShown, JSON.stringify(shown));
}

/**
 * Runs a task and answers its messages: presses the button with the title `answer` (or one of several), or closes the message. Accepts the
 * review before a send. Returns the task's result and all messages. Tests need this because modals block an unattended window.
 */
export async function answering<T>(
  answer: Answer,
  task: (shown: readonly Shown[]) => PromiseLike<T>,
): Promise<{ readonly result: T; readonly shown: readonly Shown[] }> {
  const shown: Shown[] = [];
  const replaced = methods.map((name) => [name, vscode.window[name]] as const);
  const show = async (
    text: string,
    ...rest: readonly (vscode.MessageOptions | vscode.MessageItem | string | undefined)[]
  ) => {
    const titles = rest.map(titleOf);
    const options = rest.find((part): part is vscode.MessageOptions => typeof part === 'object' && !('title' in part));
    const message = {
      text,
      detail: options?.detail,
      modal: options?.modal === true,
      buttons: titles.filter((title) => title !== undefined),
    };
    shown.push(message);
    const chosen = typeof answer === 'function' ? await answer(message) : answer;
    const index = titles.findIndex(
      (title) => title !== undefined && (typeof chosen === 'string' ? title === chosen : chosen?.includes(title)),
    );
    return index < 0 ? undefined : rest[index];
  };
  const { createWebviewPanel } = vscode.window;
  const create = (...given: Parameters<typeof createWebviewPanel>): vscode.WebviewPanel =>
    given[0] === sendReviewType ? continueAutomatically(new Panel(given[0], given[1])) : createWebviewPanel(...given);
  Object.defineProperty(vscode.window, 'createWebviewPanel', { configurable: true, writable: true, value: create });
  for (const name of methods)
    Object.defineProperty(vscode.window, name, {
      configurable: true,
      writable: true,
      value: show satisfies (...given: Parameters<Show>) => Promise<object | string | undefined>,
    });
  try {
    const result = await task(shown);
    return { result, shown };
  } finally {
    Object.defineProperty(vscode.window, 'createWebviewPanel', {
      configurable: true,
      writable: true,
      value: createWebviewPanel,
    });
    for (const [name, original] of replaced)
      Object.defineProperty(vscode.window, name, { configurable: true, writable: true, value: original });
  }
}

function titleOf(part: object | string | undefined) {
  if (typeof part !== 'object') return part;
  return 'title' in part && typeof part.title === 'string' ? part.title : undefined;
}
