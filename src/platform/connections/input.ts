import * as vscode from 'vscode';

/** Result of pressing the Back button. */
export const BACK = Symbol('back');

/** One step of a multi-step input. */
interface TextPrompt {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  readonly step: number;
  readonly totalSteps: number;
  /** Whether there is a previous step. */
  readonly canGoBack: boolean;
  /** Returns why a text is invalid, or undefined if it is valid. */
  validate(text: string): string | undefined;
}

/**
 * Asks for a line of text. Stays open without focus, so that the user can copy a key from elsewhere. Resolves with undefined if the user
 * cancels.
 */
export function promptForValue(options: TextPrompt): Promise<string | typeof BACK | undefined> {
  const box = vscode.window.createInputBox();
  Object.assign(box, {
    title: options.title,
    prompt: options.prompt,
    placeholder: options.placeholder ?? '',
    value: options.value ?? '',
    password: options.password === true,
    step: options.step,
    totalSteps: options.totalSteps,
    ignoreFocusOut: true,
    buttons: options.canGoBack ? [vscode.QuickInputButtons.Back] : [],
  });
  return new Promise((resolve) => {
    const end = (answer: string | typeof BACK | undefined): void => {
      resolve(answer);
      box.dispose();
    };
    // Text is validated when submitted, and from then on at every change.
    box.onDidChangeValue((text) => {
      if (box.validationMessage) box.validationMessage = options.validate(text);
    });
    box.onDidAccept(() => {
      const problem = options.validate(box.value);
      if (problem === undefined) end(box.value);
      else box.validationMessage = problem;
    });
    box.onDidTriggerButton(() => end(BACK));
    box.onDidHide(() => end(undefined));
    box.show();
  });
}

/** Lets the user pick an item. Stays open without focus, so that earlier input isn't lost. */
export async function pickItem<T>(
  title: string,
  placeHolder: string,
  items: readonly (vscode.QuickPickItem & { readonly value: T })[],
): Promise<T | undefined> {
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.value;
}
