// Measures statistics of a campaign with 50,000 recipients: the host and the real page in Chromium, compared with the bare requests.
import { build } from 'esbuild';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chromium } from 'playwright-core';
import { Agent, request } from 'undici';
import { chromiumFlags, findChromium } from '../../scripts/lib/chromium.mjs';
import { MailingClient } from '../../src/service/client/index.ts';
import { createReport } from '../../src/features/statistics/report.ts';
import { createTableHandlers } from '../../src/ui/webview/tablePages.ts';
import { MAX_PAGE_SIZE } from '../../src/service/client/paginate.ts';
import { growth, median, timed } from '../support.mjs';

const recipients = 50_000;
/** A fifth of the recipients, to measure whether memory depends on their number. */
const fewer = 10_000;
const rounds = 9;
const warmUp = 2;
const address = 'http://127.0.0.1/';

export async function measure() {
  const executablePath = findChromium();
  const [many, few] = [await startService(recipients), await startService(fewer)];
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  try {
    const files = await buildPage();
    const taken = { first: [], firstBare: [], scroll: [], scrollBare: [], all: [], allBare: [] };
    const heaps = [];
    for (let round = 0; round < rounds; round += 1) {
      const bare = await bareRequests(many);
      const ours = await openStatistics(browser, files, many);
      const now = {
        first: ours.first,
        firstBare: bare.first,
        scroll: await ours.scroll(),
        scrollBare: bare.ends,
        all: await ours.filter(),
        allBare: bare.all,
      };
      for (const [name, value] of Object.entries(now)) taken[name].push(value);
      heaps.push({ ours: await ours.heap(), bare: await bareHeap(browser, bare.rows) });
      await ours.close();
    }
    const row = (name, ours, bare) => {
      const [own, floor] = [median(taken[ours].slice(warmUp)), median(taken[bare].slice(warmUp))];
      return [name, own, floor, own / floor, 'ms'];
    };
    const [page, plain] = [median(heaps.map(({ ours }) => ours)), median(heaps.map(({ bare }) => bare))];
    const growths = [[], []];
    for (let round = 0; round < 3; round += 1) {
      growths[0].push(await growth(() => readTimeline(many)));
      growths[1].push(await growth(() => readTimeline(few)));
    }
    const [ofMany, ofFew] = growths.map(median);
    return {
      title: `Statistics of ${recipients.toLocaleString('en')} recipients (floors: bare requests with JSON parsing; the same rows on an empty page; the growth for a fifth)`,
      rows: [
        row('first visible figure', 'first', 'firstBare'),
        row('table scrollable to its last row', 'scroll', 'scrollBare'),
        row('all rows read and filtered', 'all', 'allBare'),
        ['memory of the page with all rows', page, plain, page / plain, 'MB'],
        ['growth of the host during the timeline count', ofMany, ofFew, ofMany / ofFew, 'MB'],
      ],
    };
  } finally {
    await browser.close();
    for (const { child } of [many, few]) if (child.connected) child.disconnect();
  }
}

async function startService(count) {
  const child = fork(new URL('./service.mjs', import.meta.url), [String(count)]);
  const [ready] = await once(child, 'message');
  return { child, ...ready };
}

async function buildPage() {
  const { outputFiles } = await build({
    entryPoints: ['src/features/statistics/page/main.ts'],
    outdir: 'out',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'chrome128',
    logLevel: 'error',
  });
  return (extension) => outputFiles.find(({ path }) => path.endsWith(extension)).text;
}

/** Requests for the figures, then for the first and last page of the table, then for all pages. */
async function bareRequests({ baseUrl, apiKey, campaignId }) {
  const dispatcher = new Agent();
  const get = async (task, query = '') => {
    const answer = await request(
      `${baseUrl}/index.php?page=mailer_front&option=com_mailer&ctrl=api&task=${task}&campaignId=${campaignId}${query}`,
      { dispatcher, headers: { 'Api-Key': apiKey } },
    );
    return answer.body.json();
  };
  const rowsFrom = async (offset) =>
    (await get('getCampaignStatisticsDetailed', `&offset=${offset}&limit=${MAX_PAGE_SIZE}`)).flat();
  try {
    const first = await timed(() => Promise.all([get('getCampaignById'), get('getCampaignStatistics')]));
    const ends = await timed(async () => {
      await Promise.all([get('getCampaignStatisticsClicks'), rowsFrom(0)]);
      await rowsFrom(recipients - MAX_PAGE_SIZE);
    });
    const rows = [];
    const all = await timed(async () => {
      for (let offset = 0; ; offset += MAX_PAGE_SIZE) {
        const part = await rowsFrom(offset);
        if (part.length === 0) return;
        rows.push(...part);
      }
    });
    if (rows.length !== recipients) throw new Error(`The service has ${rows.length} recipients.`);
    return { first, ends, all, rows };
  } finally {
    await dispatcher.close();
  }
}

/**
 * Connects the host's report and tables with the page, as the view does, without VS Code in between. The page polls each frame for visible
 * results and is clicked by script, because Playwright's own polling and clicking take longer than the measured work.
 */
async function openStatistics(browser, file, { baseUrl, apiKey, campaignId }) {
  const client = new MailingClient({ baseUrl, apiKey });
  const services = {
    run: (_, operation) => operation(client),
    get: (id) => ({ id, name: 'Service', baseUrl, profile: 'documented' }),
  };
  const page = await browser.newPage({ viewport: { width: 320, height: 900 } });
  const devTools = await page.context().newCDPSession(page);
  const html = `<!doctype html><html lang="en"><style>html, body { height: 100%; margin: 0; } ${file('.css')}</style><body class="vscode-light"><script>
    window.acquireVsCodeApi = () => ({ postMessage: (message) => toHost(JSON.stringify(message)), getState: () => undefined, setState: () => undefined });
    window.waitUntil = (test) => new Promise((resolve) => { const poll = () => (test() ? resolve() : requestAnimationFrame(poll)); poll(); });
  </script><script type="module" src="page.js"></script>`;
  await page.route('**/*', (route) => {
    const script = route.request().url().endsWith('page.js');
    return route.fulfill(
      script
        ? { contentType: 'text/javascript; charset=utf-8', body: file('.js') }
        : { contentType: 'text/html; charset=utf-8', body: html },
    );
  });
  const run = async (expression) => {
    const { exceptionDetails } = await devTools.send('Runtime.evaluate', { expression, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  };
  const waitUntil = (test) => run(`waitUntil(() => ${test})`);
  const post = (data) =>
    void run(
      `dispatchEvent(new MessageEvent('message', { data: JSON.parse(${JSON.stringify(JSON.stringify(data))}) }))`,
    ).catch(() => undefined);
  const ref = { connection: 'bench', id: campaignId };
  const report = createReport(services, [ref], post);
  const ready = Promise.withResolvers();
  const acts = {
    ready: () => ready.resolve(undefined),
    ...createTableHandlers(() => report.records),
  };
  devTools.on('Runtime.bindingCalled', async ({ payload }) => {
    const message = JSON.parse(payload);
    const result = await acts[message.type]?.(message, new AbortController().signal);
    if (message.requestId !== undefined) post({ type: 'response', requestId: message.requestId, result });
  });
  await devTools.send('Runtime.enable');
  await devTools.send('Runtime.addBinding', { name: 'toHost' });
  await page.goto(address);
  await ready.promise;
  post({
    type: 'show',
    selection: [ref],
    cards: report.getCards(),
    pageSize: MAX_PAGE_SIZE,
    intervalSeconds: 0,
    wide: false,
  });
  const shown = JSON.stringify(recipients.toLocaleString('en'));
  const first = await timed(async () => {
    void report.read('opened');
    await waitUntil(`document.querySelector('.tiles')?.textContent.includes(${shown})`);
  });
  await run('document.fonts.ready');
  return {
    first,
    scroll: () =>
      timed(async () => {
        await run(`document.querySelectorAll('[role=tab]')[1].click()`);
        await waitUntil(`document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '${recipients + 1}'`);
        await run(`{ const grid = document.querySelector('.table-grid'); grid.scrollTop = grid.scrollHeight; }`);
        await waitUntil(
          `document.querySelector('.table-row[aria-rowindex="${recipients + 1}"]')?.textContent.includes('@')`,
        );
      }),
    filter: () =>
      timed(async () => {
        await run(
          `{ const list = document.querySelector('.table-bar select'); list.value = 'bounced'; list.dispatchEvent(new Event('change')); }`,
        );
        await waitUntil(`document.querySelector('.table-status')?.textContent.includes('· ' + ${shown} + ' rows')`);
      }),
    heap: () => heapOf(page),
    close: async () => {
      tables.stop();
      report.cancel();
      await page.close();
      await client.close();
    },
  };
}

async function bareHeap(browser, rows) {
  const page = await browser.newPage();
  await page.evaluate((given) => {
    globalThis.rows = given;
  }, rows);
  const heap = await heapOf(page);
  await page.close();
  return heap;
}

/** Returns the memory of a page after garbage collection, in MB. */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

async function readTimeline({ baseUrl, apiKey, campaignId }) {
  const client = new MailingClient({ baseUrl, apiKey });
  const services = {
    run: (_, operation) => operation(client),
    get: (id) => ({ id, name: 'Service', baseUrl, profile: 'documented' }),
  };
  const report = createReport(services, [{ connection: 'bench', id: campaignId }], () => undefined);
  await report.read('opened');
  await report.records.readAllRecipients();
  await client.close();
}
