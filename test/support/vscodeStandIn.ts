import { registerHooks } from 'node:module';

/*
 * Stands in for the module `vscode`, which exists only in VS Code. Modules that import it must be loaded with `import()`
 * after this one. Has only what tests use.
 */
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'vscode' ? { url: import.meta.url, shortCircuit: true } : nextResolve(specifier, context),
});

/** A modal question, or a notification. */
export interface ShownMessage {
  readonly kind: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly isModal: boolean;
  readonly detail: string;
  readonly buttons: readonly string[];
}

type Answer = string | undefined | ((message: ShownMessage) => string | undefined | Promise<string | undefined>);
type Decision = Answer | Promise<string | undefined>;
type Listener = (event: unknown) => unknown;

export class EventEmitter {
  readonly #listeners = new Set<Listener>();
  readonly event = (listener: Listener): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => this.#listeners.delete(listener));
  };

  fire(event?: unknown): void {
    for (const listener of this.#listeners) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class Disposable {
  readonly dispose: () => unknown;

  constructor(dispose: () => unknown) {
    this.dispose = dispose;
  }
}

interface Item {
  readonly label: string;
  readonly description?: string;
}

/** A Quick Pick, and what the user does in it. */
export class StandInPick {
  items: readonly Item[] = [];
  activeItems: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  title = '';
  placeholder = '';
  value = '';
  busy = false;
  canSelectMany = false;
  readonly onDidChangeSelection = new EventEmitter().event;
  readonly #changes = new EventEmitter();
  readonly #accepts = new EventEmitter();
  readonly #hides = new EventEmitter();
  readonly onDidChangeValue = this.#changes.event;
  readonly onDidAccept = this.#accepts.event;
  readonly onDidHide = this.#hides.event;
  readonly show = (): void => undefined;
  readonly dispose = (): void => undefined;
  readonly hide = (): void => this.#hides.fire();

  type(text: string): void {
    this.value = text;
    this.#changes.fire(text);
  }

  /** Presses Enter on the first item with this label, or on the focused one. */
  accept(label?: string): void {
    if (label !== undefined) this.activeItems = this.items.filter((item) => item.label === label);
    this.#accepts.fire();
  }
}

/** An input box, and what the user does in it. */
export class StandInBox {
  value = '';
  prompt = '';
  title = '';
  validationMessage: string | undefined;
  readonly #accepts = new EventEmitter();
  readonly #hides = new EventEmitter();
  readonly onDidChangeValue = new EventEmitter().event;
  readonly onDidTriggerButton = new EventEmitter().event;
  readonly onDidAccept = this.#accepts.event;
  readonly onDidHide = this.#hides.event;
  readonly show = (): void => undefined;
  readonly dispose = (): void => undefined;
  readonly hide = (): void => this.#hides.fire();

  /** Types a text and presses Enter. */
  answer(text: string): void {
    this.value = text;
    this.#accepts.fire();
  }
}

/** A tab with a page, and what the page posts. */
export class StandInPanel {
  readonly #messages = new EventEmitter();
  readonly #disposes = new EventEmitter();
  readonly posted: unknown[] = [];
  readonly visible = true;
  isDisposed = false;
  revealCount = 0;
  readonly webview = {
    html: '',
    options: {},
    cspSource: 'csp:',
    asWebviewUri: (uri: Uri): Uri => uri,
    onDidReceiveMessage: this.#messages.event,
    postMessage: (message: unknown): number => this.posted.push(message),
  };
  readonly onDidChangeViewState = new EventEmitter().event;
  readonly onDidDispose = this.#disposes.event;

  reveal(): void {
    this.revealCount += 1;
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.#disposes.fire();
  }

  /** Receives a message of the page. */
  receive(message: unknown): void {
    this.#messages.fire(message);
  }
}

/** The user of the window: what they see, and their answers. */
class User {
  readonly messages: ShownMessage[] = [];
  /** Answers to the next messages with buttons, in order. The user closes the others. */
  readonly answers: Answer[] = [];
  /** Returns the answer to a message with buttons. */
  decide: (message: ShownMessage) => Decision = () => this.answers.shift();
  readonly commands: (readonly unknown[])[] = [];
  /** User settings: `mailing.testLists`. */
  readonly settings = new Map<string, unknown>();
  readonly documents: { readonly uri: Uri; getText(): string }[] = [];
  /** Files on disk by path. */
  readonly files = new Map<string, Uint8Array>();
  /** Picks one of the items that a command offers. */
  usePickItem: (items: readonly Item[]) => Item | undefined = () => undefined;
  /** Types into an input box. */
  useInput: (options: { readonly title?: string; readonly prompt?: string }) => string | undefined = () => undefined;
  /** Uses each new Quick Pick once it is shown. */
  usePick: (pick: StandInPick) => unknown = (pick) => pick.hide();
  /** Uses each new input box once it is shown. */
  useBox: (box: StandInBox) => unknown = (box) => box.hide();
  /** Applies an edit. */
  useEdit: (edit: WorkspaceEdit) => void = () => undefined;
  /** Uses each new tab. */
  usePanel: (panel: StandInPanel) => unknown = (panel) => panel.dispose();

  reset(): void {
    for (const list of [this.messages, this.answers, this.commands, this.documents]) list.length = 0;
    this.settings.clear();
    this.files.clear();
    this.usePickItem = () => undefined;
    this.useInput = () => undefined;
    this.usePick = (pick) => pick.hide();
    this.usePanel = (panel) => panel.dispose();
    this.useBox = (box) => box.hide();
  }

  /** The modal questions so far. */
  get questions(): readonly ShownMessage[] {
    return this.messages.filter(({ isModal }) => isModal);
  }

  /** The texts of the notifications so far. */
  get notifications(): readonly string[] {
    return this.messages.filter(({ isModal }) => !isModal).map(({ text }) => text);
  }

  readonly show =
    (kind: ShownMessage['kind']) =>
    async (text: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
      const options = rest.find((each): each is { modal?: boolean; detail?: string } => typeof each === 'object');
      const buttons = rest.filter((each) => typeof each === 'string');
      const message = { kind, text, isModal: options?.modal === true, detail: options?.detail ?? '', buttons };
      this.messages.push(message);
      const answer = buttons.length > 0 ? this.decide(message) : undefined;
      return typeof answer === 'function' ? answer(message) : answer;
    };
}

export const user = new User();

interface UriParts {
  readonly scheme: string;
  readonly authority?: string;
  readonly path?: string;
}

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;

  constructor({ scheme, authority = '', path = '' }: UriParts) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
  }

  static from(parts: UriParts): Uri {
    return new Uri(parts);
  }

  static parse(address: string): Uri {
    const { protocol, host, pathname } = new URL(address);
    return new Uri({ scheme: protocol.slice(0, -1), authority: host, path: pathname });
  }

  static file(path: string): Uri {
    return new Uri({ scheme: 'file', path });
  }

  static joinPath(uri: Uri, ...segments: readonly string[]): Uri {
    return new Uri({ ...uri, path: [uri.path, ...segments].join('/') });
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `${this.scheme}://${this.authority}${this.path}`;
  }
}

/** A range of offsets: documents of tests have no lines. */
export class Range {
  readonly start: number;
  readonly end: number;

  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }

  intersection({ start, end }: Range): Range | undefined {
    return start <= this.end && end >= this.start ? this : undefined;
  }
}

export class WorkspaceEdit {
  readonly replaced: { readonly range: Range; readonly text: string }[] = [];

  replace(_uri: Uri, range: Range, text: string): void {
    this.replaced.push({ range, text });
  }
}

export class CodeLens {
  readonly range: Range;
  readonly command: unknown;

  constructor(range: Range, command: unknown) {
    [this.range, this.command] = [range, command];
  }
}

export const extensions = { getExtension: (): undefined => undefined };
export class ThemeIcon {}
export class TabInputText {}
export class TabInputTextDiff {}
export class TabInputCustom {}
export const ViewColumn = { Active: -1 };
export const ConfigurationTarget = { Global: 1 };
export const ProgressLocation = { Window: 10, Notification: 15 };
export const QuickInputButtons = { Back: {} };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const env = { sessionId: 'session', language: 'en' };

export const commands = {
  executeCommand: async (...command: readonly unknown[]): Promise<void> => {
    user.commands.push(command);
  },
};

export const window = {
  activeTextEditor: undefined as unknown,
  showTextDocument: async (): Promise<void> => undefined,
  tabGroups: { all: [], activeTabGroup: {} },
  showWarningMessage: user.show('warning'),
  showInformationMessage: user.show('info'),
  showErrorMessage: user.show('error'),
  showQuickPick: async (items: readonly Item[]): Promise<Item | undefined> => user.usePickItem(items),
  showInputBox: async (options: { readonly prompt?: string }): Promise<string | undefined> => user.useInput(options),
  createQuickPick: (): StandInPick => {
    const pick = new StandInPick();
    setImmediate(() => user.usePick(pick));
    return pick;
  },
  createInputBox: (): StandInBox => {
    const box = new StandInBox();
    setImmediate(() => user.useBox(box));
    return box;
  },
  setStatusBarMessage: (): Disposable => new Disposable(() => undefined),
  createWebviewPanel: (): StandInPanel => {
    const panel = new StandInPanel();
    setImmediate(() => user.usePanel(panel));
    return panel;
  },
  withProgress: (_options: unknown, task: (progress: object, token: object) => unknown): unknown =>
    task({ report: () => undefined }, { onCancellationRequested: new EventEmitter().event }),
};

const readFile = async ({ path }: Uri): Promise<Uint8Array> => {
  const bytes = user.files.get(path);
  if (bytes === undefined) throw new Error(`There is no file ${path}.`);
  return bytes;
};

/** Fires for a change of `user.settings`. */
export const settingsChanged = new EventEmitter();

export const workspace = {
  fs: { readFile, stat: async (uri: Uri): Promise<object> => ({ size: (await readFile(uri)).length }) },
  decode: async (bytes: Uint8Array, { encoding = 'utf-8' }: { encoding?: string }): Promise<string> => {
    // VS Code detects a byte order mark.
    const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
    return new TextDecoder(isUtf16 ? 'utf-16le' : encoding.replace('windows1252', 'windows-1252')).decode(bytes);
  },
  isTrusted: true,
  textDocuments: user.documents,
  openTextDocument: async (uri: Uri): Promise<unknown> =>
    user.documents.find((document) => document.uri.toString() === uri.toString()),
  applyEdit: async (edit: WorkspaceEdit): Promise<void> => user.useEdit(edit),
  getWorkspaceFolder: (): undefined => undefined,
  onDidChangeConfiguration: settingsChanged.event,
  onDidGrantWorkspaceTrust: new EventEmitter().event,
  getConfiguration: (section = '') => ({
    get: (name: string, fallback: unknown): unknown => user.settings.get(`${section}.${name}`) ?? fallback,
    inspect: (name: string): unknown => ({ globalValue: user.settings.get(`${section}.${name}`) }),
    update: async (name: string, value: unknown): Promise<void> => {
      user.settings.set(`${section}.${name}`, value);
    },
  }),
};
