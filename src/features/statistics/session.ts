import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber } from '../../l10n.ts';
import type { ExtensionServices } from '../services.ts';
import { TargetPicker } from '../../platform/documents/recordCommands.ts';
import { copyRows } from '../../ui/export/run.ts';
import { showError } from '../../ui/messages.ts';
import { createTableHandlers } from '../../ui/webview/tablePages.ts';
import { toSingleLine } from '../../service/text.ts';
import { WebviewHost } from '../../ui/webview/webview.ts';
import { MAX_PAGE_SIZE } from '../../service/client/paginate.ts';
import { sumLinkClicks } from '../../service/statistics/counts.ts';
import { getSelectionKey, type CampaignSelection } from './model.ts';
import { fromPage, type FromPage, type ToPage } from './protocol.ts';
import { formatReadTime, getCanceledMessage, type ReadCause } from './refresh.ts';
import { createReport } from './report.ts';
import { pickCampaign, pickComparedCampaigns } from './selection.ts';

/** Older figures are read again when the page becomes visible. */
const MAX_AGE_MS = 60_000;

export type StatisticsSession = ReturnType<typeof openSession>;

/**
 * Shows the statistics in one view or tab: the selection and its report.
 * @param view the view, or the panel of an editor tab
 * @param showOther shows a selection that the user picks in place of the session's
 */
export function openSession(
  view: vscode.WebviewView | vscode.WebviewPanel,
  services: ExtensionServices,
  initial: CampaignSelection,
  showOther: (selection: CampaignSelection) => unknown,
) {
  const { connections, context, log, recent } = services;
  const targets = new TargetPicker(connections, recent);
  const title = t('Statistics');
  let selection: CampaignSelection = [];
  /** Undefined if no campaign is selected. */
  let report: ReturnType<typeof createReport> | undefined;
  /** When the last read ended, in ms since 1970. */
  let readAt: number | undefined;
  let isReading = false;
  /** Unless the page says otherwise: side bars are narrow. */
  let isNarrow = true;
  /** Identifies the services of the selection. */
  let targetKey = '';
  const host = new WebviewHost<FromPage, ToPage>(
    view.webview,
    context.extensionUri,
    { page: 'statistics', title },
    fromPage,
    {
      ready: sendAll,
      choose: async () => showPicked(await pickCampaign(targets, undefined)),
      compare: async () => showPicked(await pickComparedCampaigns(targets, selection)),
      showCampaign: ({ index }) => showPicked(selection.slice(index, index + 1)),
      refresh: () => refresh(),
      cancel: () => {
        host.cancelRequests(getCanceledMessage());
        cancelReading();
        // Don't read again only because the page becomes visible.
        readAt = Date.now();
      },
      width: (message) => ({ isNarrow } = message),
      readTimeline: () => report?.records?.readAllRecipients(),
      ...createTableHandlers(() => report?.records),
      copy: copyRows,
      export: ({ tab, expected }) =>
        vscode.commands.executeCommand('mailing.statistics.export', { ...selection[0], table: tab, expected }),
      heatMap: ({ address }) => showHeatMap(address),
    },
    (error) => void showError(error, { title, log }),
  );
  const subscriptions = [
    host,
    isPanel(view) ? view.onDidChangeViewState(onVisibilityChange) : view.onDidChangeVisibility(onVisibilityChange),
    connections.onDidChange(({ id }) => id === undefined && onConnectionsChange()),
  ];
  select(initial);

  function select(selected: CampaignSelection) {
    host.cancelRequests();
    cancelReading();
    selection = selected;
    readAt = undefined;
    const post = (message: ToPage) => {
      // Ignore messages of the previous selection's report.
      if (report !== own) return;
      host.post(message);
      if (message.type === 'cards') describe();
    };
    const own = selection.length === 0 ? undefined : createReport(connections, selection, post);
    report = own;
    targetKey = getTargetKey();
    describe();
    own?.readNames();
  }

  function showPicked(picked: CampaignSelection) {
    if (picked.length > 0) void showOther(picked);
  }

  /** Posts the complete state to a page that was loaded or has a new selection. */
  function sendAll() {
    host.post({
      type: 'show',
      selection,
      cards: report?.getCards() ?? [],
      pageSize: MAX_PAGE_SIZE,
      wide: isPanel(view),
    });
    report?.publish();
    const isFresh = readAt !== undefined && Date.now() - readAt < MAX_AGE_MS;
    if (view.visible && !isReading && !isFresh) void refresh('opened');
  }

  /** By default, reads everything and marks changes. */
  async function refresh(cause: ReadCause = 'requested') {
    const own = report;
    if (own === undefined) return;
    isReading = true;
    // Another selection has its own read.
    if (!(await own.read(cause)) || own !== report) return;
    isReading = false;
    readAt = Date.now();
  }

  function cancelReading() {
    isReading = false;
    report?.cancel();
  }

  function onVisibilityChange() {
    if (view.visible) return;
    host.suspend();
    if (isReading) readAt = undefined;
    cancelReading();
  }

  function onConnectionsChange() {
    if (report === undefined) return;
    host.post({ type: 'cards', cards: report.getCards() });
    describe();
    const newKey = getTargetKey();
    if (newKey === targetKey) return;
    targetKey = newKey;
    readAt = undefined;
    if (view.visible) void refresh();
  }

  function getTargetKey() {
    return JSON.stringify(
      selection.map((ref) => {
        const connection = connections.get(ref.connection);
        // The sandbox gets another port with each start.
        return connection?.sandbox === true ? 'sandbox' : connection?.baseUrl;
      }),
    );
  }

  /** Updates the title with the names of the shown campaigns. */
  function describe() {
    const names = report?.getCards().map(({ name }) => name) ?? [];
    if (isPanel(view)) view.title = formatPanelTitle(names);
    else view.description = names.join(', ');
  }

  /** Shows the clicks on all links over the campaign's preview. */
  async function showHeatMap(selectedAddress: string | undefined) {
    if (report?.records === undefined) return;
    const links = sumLinkClicks(await report.records.readAll('links', true));
    const preview = await vscode.commands.executeCommand<{ readonly uri: vscode.Uri } | undefined>('mailing.preview', {
      ...selection[0],
      collection: 'campaigns',
    });
    if (preview === undefined) return;
    const countedAt = formatReadTime(new Date());
    services.previews.find(preview.uri)?.showHeat({ links, countedAt, selectedAddress });
  }

  return {
    getSelection: () => selection,
    /** Returns whether the page has too little space for a comparison. */
    isNarrow: () => isNarrow,
    refresh,
    /** Shows another selection. Does nothing if it is already shown. */
    show: (other: CampaignSelection) => {
      if (getSelectionKey(other) === getSelectionKey(selection)) return;
      select(other);
      sendAll();
    },
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
      cancelReading();
      report = undefined;
    },
  };
}

function isPanel(view: vscode.WebviewView | vscode.WebviewPanel): view is vscode.WebviewPanel {
  return 'reveal' in view;
}

function formatPanelTitle([first, ...others]: readonly string[]) {
  if (first === undefined) return t('Statistics');
  const name = toSingleLine(first, 60);
  return others.length === 0 ? t`Statistics: ${name}` : t`Statistics: ${name} and ${formatNumber(others.length)} more`;
}
