import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Connections } from '../../../src/platform/connections/connections.ts';
import { StatisticsSession } from '../../../src/features/statistics/host/session.ts';
import type { Schedule } from '../../../src/features/statistics/host/refresh.ts';
import type { CampaignSelection, Comparison, LoadState, Overview } from '../../../src/features/statistics/model.ts';
import type { FromPage, ToPage } from '../../../src/features/statistics/protocol.ts';
import type { RecordChoice } from '../../../src/platform/documents/recordCommands.ts';
import type { ExtensionServices } from '../../../src/platform/services.ts';
import { RecentChoices } from '../../../src/platform/ui/recent.ts';
import { eventually } from '../../support/eventually.ts';
import { memoryMemento } from '../../support/memento.ts';
import { extensionFile, type TestService } from '../service.ts';

type Of<Type extends ToPage['type']> = Extract<ToPage, { type: Type }>;

/** Start time of services with growing figures. At night, the sandbox has no opens. */
export const noon = new Date(new Date().setHours(12, 0, 0, 0));

/** A webview without a page. Records posted messages; tests send the page's messages. */
export class FakeWebview implements vscode.Webview {
  options: vscode.WebviewOptions = {};
  html = '';
  readonly cspSource = 'https://page.example';
  readonly sent: ToPage[] = [];
  readonly #received = new vscode.EventEmitter<object>();
  readonly onDidReceiveMessage = this.#received.event;

  asWebviewUri(uri: vscode.Uri): vscode.Uri {
    return uri;
  }

  async postMessage(message: object): Promise<boolean> {
    // Like VS Code, reject messages that can't be cloned.
    this.sent.push(structuredClone(message) as ToPage);
    return true;
  }

  /** Sends a message of the page. */
  say(message: FromPage): void {
    this.#received.fire(message);
  }

  all<Type extends ToPage['type']>(type: Type): Of<Type>[] {
    return this.sent.filter((message): message is Of<Type> => message.type === type);
  }

  /** Returns the last message of a type. Throws if there is none. */
  last<Type extends ToPage['type']>(type: Type): Of<Type> {
    const message = this.all(type).at(-1);
    assert.ok(message, `no message "${type}" among ${this.sent.map((one) => one.type).join()}`);
    return message;
  }

  /** Waits until the last message of a type passes, and returns it. */
  until<Type extends ToPage['type']>(type: Type, passes: (message: Of<Type>) => boolean): Promise<Of<Type>> {
    return eventually(() => {
      const message = this.last(type);
      assert.ok(passes(message), JSON.stringify(message).slice(0, 500));
      return message;
    });
  }

  lastOverview(): LoadState<Overview> {
    return this.last('figures').figures as LoadState<Overview>;
  }

  lastComparison(): LoadState<Comparison> {
    return this.last('figures').figures as LoadState<Comparison>;
  }

  /** Waits until the figures of one campaign pass. */
  async untilOverview(passes: (message: { overview: LoadState<Overview> }) => boolean) {
    await this.until('figures', () => passes({ overview: this.lastOverview() }));
    return { overview: this.lastOverview() };
  }

  /** Waits until the figures of several campaigns pass. */
  async untilComparison(
    passes: (message: { comparison: LoadState<Comparison>; failures: readonly string[] }) => boolean,
  ) {
    const { failures } = await this.until('figures', (message) =>
      passes({ comparison: this.lastComparison(), failures: message.failures }),
    );
    return { comparison: this.lastComparison(), failures };
  }

  forget(): void {
    this.sent.length = 0;
  }
}

/** Returns this window's connections with the keys of the services, like in the extension. */
export async function createConnections(...services: readonly TestService[]): Promise<Connections> {
  const stored = new Map<string, string>();
  const changes = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  const secrets: vscode.SecretStorage = {
    get: async (key) => stored.get(key),
    store: async (key, value) => void stored.set(key, value),
    delete: async (key) => void stored.delete(key),
    keys: async () => [...stored.keys()],
    onDidChange: changes.event,
  };
  const log = vscode.window.createOutputChannel('Test of statistics', { log: true });
  const connections = new Connections({ secrets }, log);
  for (const { connection, sandbox } of services) await connections.setApiKey(connection, sandbox.apiKey);
  return connections;
}

/** Returns the services of the statistics in this window. */
export function createServices(connections: Connections, memento = memoryMemento(new Map())): ExtensionServices {
  const services: object = {
    connections,
    context: { extensionUri: vscode.Uri.file(extensionFile('.')), workspaceState: memento },
    recent: new RecentChoices(memento),
  };
  return services as ExtensionServices;
}

export interface Opened extends vscode.Disposable {
  readonly session: StatisticsSession;
  readonly page: FakeWebview;
  readonly connections: Connections;
  /** What the session asked its view to show or to open in an editor. */
  readonly calls: [name: 'show' | 'openInEditor', selection: CampaignSelection][];
  /** The names in the title. */
  names(): readonly string[];
  show(): void;
  hide(): void;
  /** Ends the pause between two reads. Returns false if none is scheduled. */
  tick(): boolean;
}

/** Opens a session with a loaded page. */
export async function openSession(selection: CampaignSelection, ...services: readonly TestService[]): Promise<Opened> {
  const connections = await createConnections(...services);
  const page = new FakeWebview();
  const changes = new vscode.EventEmitter<void>();
  let visible = true;
  const calls: Opened['calls'] = [];
  const view: vscode.WebviewView = {
    viewType: 'mailing.statistics',
    webview: page,
    get visible() {
      return visible;
    },
    onDidChangeVisibility: changes.event,
    onDidDispose: new vscode.EventEmitter<void>().event,
    show: () => undefined,
  };
  const actions = {
    show: (shown: CampaignSelection) => calls.push(['show', shown]),
    openInEditor: (shown: CampaignSelection) => void calls.push(['openInEditor', shown]),
  };
  let scheduledRun: (() => void) | undefined;
  const later: Schedule = (run) => {
    scheduledRun = run;
    return () => {
      scheduledRun = undefined;
    };
  };
  const session = new StatisticsSession(view, createServices(connections), selection, actions, later);
  const setVisible = (isVisible: boolean): void => {
    visible = isVisible;
    changes.fire();
  };
  page.say({ type: 'ready' });
  return {
    session,
    page,
    connections,
    calls,
    names: () => (view.description ? view.description.split(', ') : []),
    show: () => {
      setVisible(true);
      page.say({ type: 'ready' });
    },
    hide: () => setVisible(false),
    tick: () => {
      const run = scheduledRun;
      scheduledRun = undefined;
      run?.();
      return run !== undefined;
    },
    dispose: () => {
      session.dispose();
      connections.dispose();
    },
  };
}

/** Replaces a function of VS Code's API while a task runs. */
export async function withReplaced<Target extends object, Name extends keyof Target, T>(
  target: Target,
  name: Name,
  value: Target[Name],
  task: () => PromiseLike<T>,
): Promise<T> {
  const original = target[name];
  const replace = (by: Target[Name]): void =>
    void Object.defineProperty(target, name, { configurable: true, writable: true, value: by });
  replace(value);
  try {
    return await task();
  } finally {
    replace(original);
  }
}

/** Creates a Quick Pick without a window. */
export function fakePick() {
  const [selection, value, accepted, hidden] = [
    new vscode.EventEmitter<readonly RecordChoice[]>(),
    new vscode.EventEmitter<string>(),
    new vscode.EventEmitter<void>(),
    new vscode.EventEmitter<void>(),
  ];
  const quickPick = {
    title: '' as string | undefined,
    placeholder: '',
    busy: false,
    canSelectMany: false,
    matchOnDescription: false,
    items: [] as readonly RecordChoice[],
    selectedItems: [] as readonly RecordChoice[],
    activeItems: [] as readonly RecordChoice[],
    onDidChangeSelection: selection.event,
    onDidChangeValue: value.event,
    onDidAccept: accepted.event,
    onDidHide: hidden.event,
    show: () => undefined,
    hide: () => hidden.fire(),
    dispose: () => undefined,
  };
  return {
    quickPick,
    select: (items: readonly RecordChoice[]) => {
      quickPick.selectedItems = items;
      selection.fire(items);
    },
    type: (text: string) => value.fire(text),
    accept: () => accepted.fire(),
  };
}
