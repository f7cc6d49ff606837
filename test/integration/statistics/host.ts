import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Connections } from '../../../src/platform/connections/connections.ts';
import {
  StatisticsSession,
  type SessionActions,
  type SessionOptions,
  type Surface,
} from '../../../src/features/statistics/host/session.ts';
import type { Schedule } from '../../../src/features/statistics/host/refresh.ts';
import type { CampaignSelection } from '../../../src/features/statistics/model.ts';
import type { FromPage, ToPage } from '../../../src/features/statistics/protocol.ts';
import { eventually } from '../../support/eventually.ts';
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

export interface Opened extends vscode.Disposable {
  readonly session: StatisticsSession;
  readonly page: FakeWebview;
  readonly connections: Connections;
  readonly calls: [name: keyof SessionActions, ...parts: readonly (object | string | boolean | undefined)[]][];
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
  let names: readonly string[] = [];
  const calls: Opened['calls'] = [];
  const note =
    (name: keyof SessionActions) =>
    (...parts: readonly (object | string | boolean | undefined)[]) =>
      void calls.push([name, ...parts]);
  const actions: SessionActions = {
    choose: note('choose'),
    compare: note('compare'),
    show: note('show'),
    openInEditor: note('openInEditor'),
    export: note('export'),
    copyMarkdown: note('copyMarkdown'),
    saveChart: note('saveChart'),
    heatMap: note('heatMap'),
  };
  const surface: Surface = {
    webview: page,
    wide: false,
    get visible() {
      return visible;
    },
    onDidChangeVisibility: changes.event,
    describe: (described) => {
      names = described;
    },
  };
  let scheduledRun: (() => void) | undefined;
  const later: Schedule = (run) => {
    scheduledRun = run;
    return () => {
      scheduledRun = undefined;
    };
  };
  const parts: SessionOptions = {
    connections,
    extensionUri: vscode.Uri.file(extensionFile('.')),
    actions,
    schedule: later,
  };
  const session = new StatisticsSession(surface, parts, selection);
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
    names: () => names,
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
