import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { Connections } from '../../../src/platform/connections/connections.ts';
import { StatisticsSession } from '../../../src/features/statistics/session.ts';
import type { Comparison, Overview } from '../../../src/service/statistics/model.ts';
import type { CampaignSelection, LoadState, TableTab } from '../../../src/features/statistics/model.ts';
import type { FromPage, ToPage } from '../../../src/features/statistics/protocol.ts';
import type { RowsPage } from '../../../src/ui/page/table/protocol.ts';
import type { ResponseMessage } from '../../../src/ui/protocol.ts';
import type { RecordChoice } from '../../../src/platform/documents/recordCommands.ts';
import type { ExtensionServices } from '../../../src/features/services.ts';
import { RecentChoices } from '../../../src/ui/recent.ts';
import { eventually } from '../../support/eventually.ts';
import { memoryMemento } from '../../support/memento.ts';
import { extensionFile, useService, type TestService } from '../service.ts';

type Of<Type extends ToPage['type']> = Extract<ToPage, { type: Type }>;

type Kinds = LoadState<object>['kind'];
type State<T, Kind> = Extract<LoadState<T>, { kind: Kind }>;
type Check<T, Kind> = (state: State<T, Kind>) => boolean;

/** Start time of services with growing figures. At night, the sandbox has no opens. */
export const noon = new Date(new Date().setHours(12, 0, 0, 0));

/** A webview without a page. Records posted messages; tests send the page's messages. */
export class FakeWebview implements vscode.Webview {
  options: vscode.WebviewOptions = {};
  html = '';
  readonly cspSource = 'https://page.example';
  readonly sent: ToPage[] = [];
  readonly responses: ResponseMessage[] = [];
  readonly #received = new vscode.EventEmitter<object>();
  readonly onDidReceiveMessage = this.#received.event;

  asWebviewUri(uri: vscode.Uri): vscode.Uri {
    return uri;
  }

  async postMessage(message: object): Promise<boolean> {
    // Like VS Code, reject messages that can't be cloned.
    const cloned = structuredClone(message) as ToPage | ResponseMessage;
    if (cloned.type === 'response') this.responses.push(cloned);
    else this.sent.push(cloned);
    return true;
  }

  /** Sends a message of the page. */
  say(message: FromPage | { readonly type: 'cancelRequest'; readonly requestId: number }): void {
    this.#received.fire(message);
  }

  /** Waits for the response to a request. */
  response(id: number): Promise<ResponseMessage> {
    return eventually(() => this.responses.find(({ requestId }) => requestId === id) ?? assert.fail('no response'));
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

  /** Waits until the figures of one campaign are in a state and pass, and returns them. */
  untilOverview<Kind extends Kinds>(kind: Kind, passes?: Check<Overview, Kind>): Promise<State<Overview, Kind>> {
    return this.#untilFigures(kind, passes);
  }

  /** Waits until the figures of several campaigns are in a state and pass, and returns them. */
  untilComparison<Kind extends Kinds>(kind: Kind, passes?: Check<Comparison, Kind>): Promise<State<Comparison, Kind>> {
    return this.#untilFigures(kind, passes);
  }

  async #untilFigures<T, Kind extends Kinds>(kind: Kind, passes: Check<T, Kind> = () => true) {
    const { figures } = await this.until(
      'figures',
      (message) => message.figures.kind === kind && passes(message.figures as State<T, Kind>),
    );
    return figures as State<T, Kind>;
  }

  forget(): void {
    this.sent.length = 0;
  }
}

/** Creates a visible view that shows a page. */
export function createView(webview: FakeWebview): vscode.WebviewView {
  const never = new vscode.EventEmitter<void>().event;
  return {
    viewType: 'mailing.statistics',
    webview,
    visible: true,
    onDidChangeVisibility: never,
    onDidDispose: never,
    show: () => undefined,
  };
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
  const connections = new Connections({ secrets, globalStorageUri: vscode.Uri.file(tmpdir()) }, log);
  for (const { connection, sandbox } of services)
    await connections.setApiKey(connections.getService(connection), sandbox.apiKey);
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
  /** The selections that the session asked its view to show. */
  readonly calls: CampaignSelection[];
  /** The names in the title. */
  names(): readonly string[];
  show(): void;
  hide(): void;
}

/** Opens a session with a loaded page. */
export async function openSession(selection: CampaignSelection, ...services: readonly TestService[]): Promise<Opened> {
  const connections = await createConnections(...services);
  const page = new FakeWebview();
  const changes = new vscode.EventEmitter<void>();
  let visible = true;
  const calls: Opened['calls'] = [];
  const view: vscode.WebviewView = {
    ...createView(page),
    get visible() {
      return visible;
    },
    onDidChangeVisibility: changes.event,
  };
  const showOther = (shown: CampaignSelection) => calls.push(shown);
  const session = new StatisticsSession(view, createServices(connections), selection, showOther);
  const setVisible = (isVisible: boolean) => {
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
    dispose: () => {
      session.dispose();
      connections.dispose();
    },
  };
}

/** A service with a sample, and a session for each test of a suite. */
export class SessionSuite {
  service!: TestService;
  opened!: Opened;
  #lastRequestId = 0;

  constructor() {
    const shared = useService('sample', { subscribers: 240, now: () => noon });
    beforeEach(() => {
      this.service = shared();
    });
    afterEach(() => this.opened.dispose());
  }

  readonly refs = (...ids: readonly number[]): CampaignSelection =>
    ids.map((id) => ({ connection: this.service.connection, id }));

  /** Opens the statistics of campaigns, by default of the suite's service. */
  readonly open = async (...ids: readonly number[]) => {
    this.opened = await openSession(this.refs(...ids), this.service);
    return this.opened;
  };

  readonly openOn = async (service: TestService, id: number) => {
    this.opened = await openSession([{ connection: service.connection, id }], service);
    return this.opened;
  };

  readonly fails = (operation: string, status = 500) =>
    this.service.sandbox.faults.add({ kind: 'status', status, message: 'It is broken.', operation, times: 99 });

  readonly loaded = () => this.opened.page.untilOverview('loaded');

  readonly settled = async () => {
    await this.opened.page.until('figures', ({ figures }) => figures.kind !== 'loading');
    await this.opened.page.until('timeline', ({ timeline }) => timeline.kind !== 'loading');
  };

  /** Requests a page of a table, and returns the id of the request. */
  readonly requestPage = (tab: TableTab, page = 0): number => {
    const requestId = (this.#lastRequestId += 1);
    this.opened.page.say({ type: 'rows', requestId, tab, page });
    return requestId;
  };

  /** Reads a page of a table. */
  readonly readPage = async (tab: TableTab, page = 0): Promise<RowsPage> => {
    const { result, error } = await this.opened.page.response(this.requestPage(tab, page));
    assert.equal(error, undefined);
    return result as RowsPage;
  };

  /** Returns the number of a table's rows. */
  readonly countRows = async (tab: TableTab): Promise<unknown> => {
    const requestId = (this.#lastRequestId += 1);
    this.opened.page.say({ type: 'count', requestId, tab });
    return (await this.opened.page.response(requestId)).result;
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
