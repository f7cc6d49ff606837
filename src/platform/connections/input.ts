import * as vscode from 'vscode';

/** The user pressed the Back button. */
export const BACK = Symbol('back');

/** One question of several. */
interface TextPrompt {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  readonly step: number;
  readonly totalSteps: number;
  /** Whether there is a question before this one to go back to. */
  readonly canGoBack: boolean;
  /** Why a text can't be taken, or nothing where it can. */
  validate(text: string): string | undefined;
}

/** Asks for one line. Stays open when the focus moves, so that a key can be fetched from elsewhere. Undefined: cancelled. */
export function promptForText(question: TextPrompt): Promise<string | typeof BACK | undefined> {
  const box = vscode.window.createInputBox();
  Object.assign(box, {
    title: question.title,
    prompt: question.prompt,
    placeholder: question.placeholder ?? '',
    value: question.value ?? '',
    password: question.password === true,
    step: question.step,
    totalSteps: question.totalSteps,
    ignoreFocusOut: true,
    buttons: question.canGoBack ? [vscode.QuickInputButtons.Back] : [],
  });
  return new Promise((resolve) => {
    const end = (answer: string | typeof BACK | undefined): void => {
      resolve(answer);
      box.dispose();
    };
    // What is still being typed isn't wrong yet: a text is judged when it is entered, and from then on as it is mended.
    box.onDidChangeValue((text) => {
      if (box.validationMessage) box.validationMessage = question.validate(text);
    });
    box.onDidAccept(() => {
      const problem = question.validate(box.value);
      if (problem === undefined) end(box.value);
      else box.validationMessage = problem;
    });
    box.onDidTriggerButton(() => end(BACK));
    box.onDidHide(() => end(undefined));
    box.show();
  });
}

/** Lets the user choose. Stays open when the focus moves, as what was typed before would be lost. */
export async function pickItem<T>(
  title: string,
  placeHolder: string,
  items: readonly (vscode.QuickPickItem & { readonly value: T })[],
): Promise<T | undefined> {
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.value;
}
