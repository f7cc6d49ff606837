import * as vscode from 'vscode';
import type { Connections } from '../../../platform/connections/connections.ts';
import { copyRows } from '../../../platform/ui/export/copy.ts';
import { showError } from '../../../platform/ui/messages.ts';
import { WebviewHost } from '../../../platform/ui/webview.ts';
import { dispatch, type Handlers } from '../../../platform/webview/messages.ts';
import { keyOf, type Choice, type TableTab } from '../model.ts';
import { fromPage, type FromPage, type ToPage } from '../protocol.ts';
import { ComparisonReport } from './comparisonReport.ts';
import { OneReport } from './oneReport.ts';
import type { Cause, Post } from './report.ts';
import type { Services } from './source.ts';
import { pageSize, Tables } from './tables.ts';
import { intervalOf, Watch, type Later, type WatchOutcome } from './watch.ts';

export const intervalSetting = 'mailing.statistics.refreshInterval';

/** What was read longer ago than this, in ms, is read again when it comes into sight. */
const stalenessMs = 60_000;

/** What a session is shown in: the view, or an editor tab. */
export interface Surface {
  readonly webview: vscode.Webview;
  readonly wide: boolean;
  readonly visible: boolean;
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  /** Says above the page what is shown; nothing where nothing is chosen. */
  describe(names: readonly string[]): void;
}

/** What a session needs of the extension. */
export interface SessionParts {
  readonly connections: Pick<Connections, 'run' | 'get' | 'onDidChange'>;
  readonly extensionUri: vscode.Uri;
  readonly log?: vscode.LogOutputChannel;
  readonly actions: SessionActions;
  /** How the pause between two readings is waited for; tests pass their own. */
  readonly later?: Later;
}

/** What the page's buttons do that reaches beyond it. */
export interface SessionActions {
  choose(): unknown;
  compare(choice: Choice): unknown;
  /** Another choice is to be shown in place of the session's. */
  show(choice: Choice): unknown;
  openInEditor(choice: Choice): unknown;
  export(what: { readonly choice: Choice; readonly table: TableTab; readonly expected?: number }): unknown;
  copyMarkdown(session: StatisticsSession): unknown;
  saveChart(chart: Extract<FromPage, { type: 'saveChart' }>): unknown;
  heatMap(session: StatisticsSession, address: string | undefined): unknown;
}

/** The statistics in one view or tab: what was chosen, what is known of it, and when it is read again. */
export class StatisticsSession implements vscode.Disposable {
  readonly #surface: Surface;
  readonly #parts: SessionParts;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #subscriptions: vscode.Disposable[];
  readonly #watch: Watch;
  readonly #handlers: Handlers<FromPage> = {
    ready: () => this.#sendAll(),
    choose: () => this.#parts.actions.choose(),
    compare: () => this.#parts.actions.compare(this.#choice),
    single: ({ ref }) => this.#choice.some((one) => keyOf([one]) === keyOf([ref])) && this.#parts.actions.show([ref]),
    refresh: () => this.refresh(),
    cancel: () => this.#cancel(),
    openInEditor: () => this.#parts.actions.openInEditor(this.#choice),
    readTimeline: () => this.one?.readAll(),
    want: ({ turn, tab, pages }) => this.#tables?.want(turn, tab, pages),
    copy: (copied) => copyRows(copied),
    export: ({ tab, expected }) => this.#parts.actions.export({ choice: this.#choice, table: tab, expected }),
    copyMarkdown: () => this.#parts.actions.copyMarkdown(this),
    saveChart: (chart) => this.#parts.actions.saveChart(chart),
    heatMap: ({ address }) => this.#parts.actions.heatMap(this, address),
  };
  #choice: Choice = [];
  #report: ShownReport | undefined;
  #tables: Tables | undefined;
  /** When the last reading ended, in ms; undefined where none did. */
  #readAt: number | undefined;
  /** What is being read. */
  #reading: ShownReport | undefined;
  /** Where the connections of the choice lead. */
  #connected = '';

  constructor(surface: Surface, parts: SessionParts, choice: Choice) {
    this.#surface = surface;
    this.#parts = parts;
    this.#watch = new Watch(() => this.#read('watched'), parts.later);
    this.#watch.seconds = interval();
    const page = { page: 'statistics', title: 'Statistics' };
    this.#host = new WebviewHost<FromPage, ToPage>(
      surface.webview,
      parts.extensionUri,
      page,
      fromPage,
      (message) => void this.#handle(message),
    );
    this.#subscriptions = [
      this.#host,
      surface.onDidChangeVisibility(() => this.#visibilityChanged()),
      parts.connections.onDidChange(({ id }) => id === undefined && this.#connectionsChanged()),
      vscode.workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration(intervalSetting) && this.#intervalChanged(),
      ),
    ];
    this.#choose(choice);
  }

  get choice(): Choice {
    return this.#choice;
  }

  /** What is known of the chosen campaign, where it is one. */
  get one(): OneReport | undefined {
    return this.#report instanceof OneReport ? this.#report : undefined;
  }

  get report(): ShownReport | undefined {
    return this.#report;
  }

  /** Shows another choice. The same one is left as it is. */
  show(choice: Choice): void {
    if (keyOf(choice) === keyOf(this.#choice)) return;
    this.#choose(choice);
    this.#sendAll();
  }

  /** Reads all anew, and marks what is different. */
  async refresh(): Promise<void> {
    this.#watch.wasRead(await this.#read('asked'));
  }

  dispose(): void {
    this.#watch.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#tables?.stop();
    this.#giveUp();
    this.#report = undefined;
  }

  #choose(choice: Choice): void {
    this.#tables?.stop();
    this.#giveUp();
    this.#choice = choice;
    this.#readAt = undefined;
    const post = (message: ToPage): void => {
      // What was chosen before has nothing to say any more.
      if (this.#report !== report) return;
      this.#host.post(message);
      if (message.type === 'cards') this.#describe();
    };
    const report = reportOf(this.#parts.connections, choice, post);
    this.#report = report;
    this.#tables = report instanceof OneReport ? new Tables(report, post) : undefined;
    this.#connected = this.#connections();
    this.#describe();
    report?.readNames();
  }

  /** Sends a page that was just loaded, or shows something else from now on, everything. */
  #sendAll(): void {
    this.#tables?.stop();
    const cards = this.#report?.cards ?? [];
    this.#host.post({
      type: 'show',
      choice: this.#choice,
      cards,
      pageSize,
      watch: this.#watch.isOver ? 0 : this.#watch.seconds,
      wide: this.#surface.wide,
    });
    this.#report?.replay();
    this.#watch.visible = this.#surface.visible;
    if (this.#surface.visible && this.#reading !== this.#report && !this.#isFresh()) void this.#open();
  }

  async #open(): Promise<void> {
    this.#watch.wasRead(await this.#read('opened'));
  }

  #isFresh(): boolean {
    return (
      this.#readAt !== undefined &&
      Date.now() - this.#readAt < Math.min(stalenessMs, (this.#watch.seconds || Infinity) * 1000)
    );
  }

  async #read(cause: Cause): Promise<WatchOutcome> {
    const report = this.#report;
    if (report === undefined) return 'done';
    this.#reading = report;
    const outcome = await report.read(cause);
    // One that was given up says nothing of the service, and another choice has its own reading.
    if (outcome === 'aborted' || report !== this.#report) return 'done';
    this.#reading = undefined;
    this.#readAt = Date.now();
    if (outcome === 'over' && this.#watch.seconds > 0)
      this.#host.post({
        type: 'watch',
        watch: 0,
        message: 'It is not read by itself any more. Refresh to begin again.',
      });
    else if (this.#watch.isOver) this.#host.post({ type: 'watch', watch: this.#watch.seconds });
    return outcome;
  }

  #cancel(): void {
    this.#tables?.cancel();
    this.#giveUp();
    // It is not to be read again at once only because the page comes into sight.
    this.#readAt = Date.now();
  }

  #giveUp(): void {
    this.#reading = undefined;
    this.#report?.giveUp();
  }

  #visibilityChanged(): void {
    this.#watch.visible = this.#surface.visible;
    if (this.#surface.visible) return;
    this.#host.suspend();
    this.#tables?.stop();
    if (this.#reading) this.#readAt = undefined;
    this.#giveUp();
  }

  #intervalChanged(): void {
    this.#watch.seconds = interval();
    this.#host.post({ type: 'watch', watch: this.#watch.seconds });
  }

  /** A connection of the choice came, went, or has another name. */
  #connectionsChanged(): void {
    if (this.#report === undefined) return;
    this.#host.post({ type: 'cards', cards: this.#report.cards });
    this.#describe();
    const connected = this.#connections();
    if (connected === this.#connected) return;
    this.#connected = connected;
    this.#readAt = undefined;
    if (this.#surface.visible) void this.refresh();
  }

  #connections(): string {
    return JSON.stringify(
      this.#choice.map(({ connection }) => {
        const there = this.#parts.connections.get(connection);
        // The sandbox has another port with each start, and is the same.
        return there?.sandbox === true ? 'sandbox' : there?.baseUrl;
      }),
    );
  }

  #describe(): void {
    this.#surface.describe(this.#report?.cards.map(({ name }) => name) ?? []);
  }

  async #handle(message: FromPage): Promise<void> {
    try {
      await dispatch(this.#handlers, message);
    } catch (error) {
      const [{ connection } = {}] = this.#choice;
      void showError(error, { title: 'Statistics', log: this.#parts.log, connection });
    }
  }
}

/** What is shown of a choice. */
export type ShownReport = OneReport | ComparisonReport;

/** The report of what is chosen; nothing where nothing is. */
export function reportOf(services: Services, [first, ...others]: Choice, post: Post): ShownReport | undefined {
  if (first === undefined) return undefined;
  return others.length === 0
    ? new OneReport(services, first, post)
    : new ComparisonReport(services, [first, ...others], post);
}

function interval(): number {
  return intervalOf(vscode.workspace.getConfiguration().get<unknown>(intervalSetting));
}
