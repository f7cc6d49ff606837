// Measures the As Sent preview: composing in the worker, showing a keystroke, and switching lenses.
import { Worker } from 'node:worker_threads';
import { chromium } from 'playwright-core';
import { findChange } from '../../src/email/html/text.ts';
import { lensNames } from '../../src/email/lenses/index.ts';
import { composeSent } from '../../src/email/sent/index.ts';
import { openPage, template } from '../preview/run.mjs';
import { median } from '../support.mjs';
import { chromiumFlags, findChromium } from '../../scripts/lib/chromium.mjs';

const ROUNDS = 16;
const WARM_UP = 4;
/** Milliseconds: composing, and switching a lens. */
const budgets = { compose: 100, lens: 150 };
const site = 'https://news.example.org';
const options = { profile: /** @type {const} */ ('acymailing'), site };

/** Milliseconds that the thread takes for an email, from question to answer. @param {string} body @returns {Promise<number>} */
async function composeInThread(body) {
  const thread = new Worker(new URL('../../src/platform/worker/jobs.ts', import.meta.url), {
    workerData: { language: 'en' },
  });
  const times = [];
  for (let id = 1; id <= ROUNDS; id += 1) {
    const start = performance.now();
    thread.postMessage({ id, job: 'compose', input: { email: { body }, options } });
    await new Promise((resolve) => thread.once('message', resolve));
    times.push(performance.now() - start);
  }
  await thread.terminate();
  return median(times.slice(WARM_UP));
}

/**
 * Runs in the page. Measures the time until each message is handled and the result is styled, laid out and painted.
 * @param {{ show: object, sent: object, steps: readonly object[] }} input
 */
async function paintInPage({ show, sent, steps }) {
  const painted = () =>
    new Promise((resolve) => {
      const channel = new globalThis.MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now());
      channel.port2.postMessage(undefined);
    });
  const rest = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const send = (data) => globalThis.dispatchEvent(new globalThis.MessageEvent('message', { data }));
  send(show);
  send(sent);
  await rest(1500);
  const times = [];
  for (const step of steps) {
    await new Promise((resolve) => globalThis.requestAnimationFrame(resolve));
    const start = performance.now();
    if ('select' in step) {
      const list = globalThis.document.querySelector('.lens select');
      list.value = step.select;
      list.dispatchEvent(new globalThis.Event('change'));
    } else send(step);
    times.push((await painted()) - start);
    await rest(400);
  }
  return times;
}

export async function measure() {
  const executablePath = findChromium();
  const body = template(177 * 1024);
  const at = body.indexOf('made to last', body.length / 2) + 3;
  const bodies = Array.from({ length: ROUNDS }, (_, n) => body.slice(0, at) + 'a'.repeat(n + 1) + body.slice(at));
  const toolbar = { view: 'authored', lens: 'none', width: '600', scheme: 'light', remote: false };
  const show = {
    type: 'show',
    document: 'mailing://bench/templates/1/a.html',
    title: 'a',
    locked: false,
    body,
    stylesheet: '',
    toolbar,
  };
  const composed = composeSent({ body }, options).html;
  const service = { ...options, isAssumed: false };
  const sent = { type: 'sent', service, html: findChange('', composed), text: findChange('', '') };
  const none = findChange('', '');

  const composing = await composeInThread(body);
  /** @type {import('../run.mjs').Row[]} */
  const rows = [['177 KB composed in the worker', composing, budgets.compose, composing / budgets.compose, 'ms']];
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  try {
    const run = async (view, steps) => {
      const page = await openPage(browser);
      const times = await page.evaluate(paintInPage, { show: { ...show, toolbar: { ...toolbar, view } }, sent, steps });
      await page.close();
      return times;
    };
    const typed = bodies.map((text) => ({
      type: 'change',
      part: 'body',
      changes: [{ offset: at, length: 0, text: 'a' }],
      length: text.length,
    }));
    const html = [composed, ...bodies.map((text) => composeSent({ body: text }, options).html)];
    const messages = bodies.map((_, n) => ({
      type: 'sent',
      service,
      html: findChange(html[n] ?? '', html[n + 1] ?? ''),
      text: none,
    }));
    const authored = median((await run('authored', typed)).slice(WARM_UP));
    const asSent = median((await run('sent', messages)).slice(WARM_UP));
    rows.push(['177 KB: a keystroke, as sent, in the page', asSent, authored, asSent / authored, 'ms']);
    for (const lens of lensNames) {
      const steps = Array.from({ length: ROUNDS }, (_, n) => ({ select: n % 2 === 0 ? lens : 'none' }));
      const times = (await run('sent', steps)).filter((_, n) => n % 2 === 0);
      const middle = median(times.slice(WARM_UP / 2));
      rows.push([`177 KB: lens ${lens}`, middle, budgets.lens, middle / budgets.lens, 'ms']);
    }
  } finally {
    await browser.close();
  }
  return { title: 'The As Sent preview (floors: the budgets; a keystroke in the source preview)', rows };
}
