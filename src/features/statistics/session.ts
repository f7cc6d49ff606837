import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber } from '../../l10n.ts';
import type { ExtensionServices } from '../services.ts';
import { TargetPicker } from '../../platform/documents/recordCommands.ts';
import { copyRows } from '../../ui/export/run.ts';
import { showError } from '../../ui/messages.ts';
import type { MessageHandlers } from '../../ui/protocol.ts';
import { createTableHandlers } from '../../ui/webview/tablePages.ts';
import { toSingleLine } from '../../service/text.ts';
import { WebviewPage } from '../../ui/webview/webview.ts';
import { MAX_PAGE_SIZE } from '../../service/client/paginate.ts';
import { sumLinkClicks } from '../../service/statistics/counts.ts';
import { getSelectionKey, type CampaignSelection } from './model.ts';
import { fromPage, type FromPage, type ToPage } from './protocol.ts';
import { formatReadTime, getCanceledMessage, type ReadCause } from './refresh.ts';
import { StatisticsReport } from './report.ts';
import { pickCampaign, pickComparedCampaigns } from './selection.ts';

/** Older figures are read again when the page becomes visible. */
const MAX_AGE_MS = 60_000;

/** The statistics in one view or tab: the selection, and always its report. */
export class StatisticsSession implements vscode.Disposable {
  readonly #view: vscode.WebviewView | vscode.WebviewPanel;
  readonly #services: ExtensionServices;
  readonly #showOther: (selection: CampaignSelection) => unknown;
  readonly #targets: TargetPicker;
  readonly #page: WebviewPage<FromPage, ToPage>;
  readonly #subscriptions: readonly vscode.Disposable[];
  #selection: CampaignSelection = [];
  /** Undefined if no campaign is selected. */
  #report: StatisticsReport | undefined;
  /** When the last read ended, in ms since 1970. */
  #readAt: number | undefined;
  #isReading = false;
  /** Unless the page says otherwise: side bars are narrow. */
  #isNarrow = true;
  /** Identifies the services of the selection. */
  #targetKey = '';

  /**
   * @param view the view, or the panel of an editor tab
   * @param showOther shows a selection that the user picks in place of the session's
   */
  constructor(
    view: vscode.WebviewView | vscode.WebviewPanel,
    services: ExtensionServices,
    selection: CampaignSelection,
    showOther: (selection: CampaignSelection) => unknown,
  ) {
    const { connections, context, log, recent } = services;
    const title = t('Statistics');
    const handleVisibility = () => this.#handleVisibility();
    this.#view = view;
    this.#services = services;
    this.#showOther = showOther;
    this.#targets = new TargetPicker(connections, recent);
    this.#page = new WebviewPage(
      view.webview,
      context.extensionUri,
      { page: 'statistics', title, schema: fromPage, onError: (error) => void showError(error, { title, log }) },
      this.#createHandlers(),
    );
    this.#subscriptions = [
      this.#page,
      isPanel(view) ? view.onDidChangeViewState(handleVisibility) : view.onDidChangeVisibility(handleVisibility),
      connections.onDidChange(({ id }) => id === undefined && this.#handleConnections()),
    ];
    this.#select(selection);
  }

  get selection(): CampaignSelection {
    return this.#selection;
  }

  get isVisible(): boolean {
    return this.#view.visible;
  }

  /** Whether the page has too little space for a comparison. */
  get isNarrow(): boolean {
    return this.#isNarrow;
  }

  /** Shows another selection. Does nothing if it is already shown. */
  show(selection: CampaignSelection): void {
    if (getSelectionKey(selection) === getSelectionKey(this.#selection)) return;
    this.#select(selection);
    this.#sendAll();
  }

  /** By default, reads everything and marks changes. */
  async refresh(cause: ReadCause = 'requested'): Promise<void> {
    const report = this.#report;
    if (report === undefined) return;
    this.#isReading = true;
    // Another selection has its own read.
    if (!(await report.read(cause)) || report !== this.#report) return;
    this.#isReading = false;
    this.#readAt = Date.now();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#cancelReading();
    this.#report = undefined;
  }

  #createHandlers(): MessageHandlers<FromPage> {
    const showPicked = (picked: CampaignSelection) => void (picked.length > 0 && this.#showOther(picked));
    return {
      ready: () => this.#sendAll(),
      choose: async () => showPicked(await pickCampaign(this.#targets, undefined)),
      compare: async () => showPicked(await pickComparedCampaigns(this.#targets, this.#selection)),
      showCampaign: ({ index }) => showPicked(this.#selection.slice(index, index + 1)),
      refresh: () => this.refresh(),
      cancel: () => {
        this.#page.cancelRequests(getCanceledMessage());
        this.#cancelReading();
        // Don't read again only because the page becomes visible.
        this.#readAt = Date.now();
      },
      width: ({ isNarrow }) => {
        this.#isNarrow = isNarrow;
      },
      readTimeline: () => this.#report?.records?.readAllRecipients(),
      ...createTableHandlers(() => this.#report?.records),
      copy: copyRows,
      export: ({ tab, expected }) => {
        const target = { ...this.#selection[0], table: tab, expected };
        return vscode.commands.executeCommand('mailing.statistics.export', target);
      },
      heatMap: ({ address }) => this.#showHeatMap(address),
    };
  }

  #select(selection: CampaignSelection) {
    this.#page.cancelRequests();
    this.#cancelReading();
    this.#selection = selection;
    this.#readAt = undefined;
    const post = (message: ToPage) => {
      // Ignore messages of the previous selection's report.
      if (this.#report !== report) return;
      this.#page.post(message);
      if (message.type === 'cards') this.#describe();
    };
    const report =
      selection.length === 0 ? undefined : new StatisticsReport(this.#services.connections, selection, post);
    this.#report = report;
    this.#targetKey = this.#getTargetKey();
    this.#describe();
    report?.readNames();
  }

  /** Posts the complete state to a page that was loaded or has a new selection. */
  #sendAll() {
    this.#page.post({
      type: 'show',
      selection: this.#selection,
      cards: this.#report?.cards ?? [],
      pageSize: MAX_PAGE_SIZE,
      wide: isPanel(this.#view),
    });
    this.#report?.publish();
    const isFresh = this.#readAt !== undefined && Date.now() - this.#readAt < MAX_AGE_MS;
    if (this.#view.visible && !this.#isReading && !isFresh) void this.refresh('opened');
  }

  #cancelReading() {
    this.#isReading = false;
    this.#report?.cancel();
  }

  #handleVisibility() {
    if (this.#view.visible) return;
    this.#page.suspend();
    if (this.#isReading) this.#readAt = undefined;
    this.#cancelReading();
  }

  #handleConnections() {
    if (this.#report === undefined) return;
    this.#page.post({ type: 'cards', cards: this.#report.cards });
    this.#describe();
    const targetKey = this.#getTargetKey();
    if (targetKey === this.#targetKey) return;
    this.#targetKey = targetKey;
    this.#readAt = undefined;
    const selection = this.#selection;
    if (selection.every(({ connection }) => this.#services.connections.get(connection))) {
      // Another site has other campaigns with these ids.
      this.show([]);
      this.show(selection);
    } else if (this.#view.visible) void this.refresh();
  }

  #getTargetKey() {
    return JSON.stringify(
      this.#selection.map((ref) => {
        const connection = this.#services.connections.get(ref.connection);
        // The sandbox gets another port with each start.
        return connection?.sandbox === true ? 'sandbox' : connection?.baseUrl;
      }),
    );
  }

  /** Updates the title with the names of the shown campaigns. */
  #describe() {
    const view = this.#view;
    const names = this.#report?.cards.map(({ name }) => name) ?? [];
    if (isPanel(view)) view.title = formatPanelTitle(names);
    else view.description = names.join(', ');
  }

  /** Shows the clicks on all links over the campaign's preview. */
  async #showHeatMap(selectedAddress: string | undefined) {
    const records = this.#report?.records;
    if (records === undefined) return;
    const target = { ...this.#selection[0], collection: 'campaigns' };
    const links = sumLinkClicks(await records.readAll('links', true));
    const countedAt = formatReadTime(records.linksReadAt);
    const preview = await vscode.commands.executeCommand<{ readonly uri: vscode.Uri } | undefined>(
      'mailing.preview',
      target,
    );
    if (preview === undefined) return;
    this.#services.previews.find(preview.uri)?.showHeat({ links, countedAt, selectedAddress });
  }
}

function isPanel(view: vscode.WebviewView | vscode.WebviewPanel): view is vscode.WebviewPanel {
  return 'reveal' in view;
}

function formatPanelTitle([first, ...others]: readonly string[]) {
  if (first === undefined) return t('Statistics');
  const name = toSingleLine(first, 60);
  return others.length === 0 ? t`Statistics: ${name}` : t`Statistics: ${name} and ${formatNumber(others.length)} more`;
}
