// Keystroke → pixels in the real workbench: from the key event in VS Code's window to the painted frame of the preview, with raw tags,
// previewed as a person, and of an extension that echoes the letter, in turn in one window; and with and without checks.
import { openInstallation } from '../../test/support/installation.ts';
import { openWorkbench } from '../../test/support/computer.ts';
import { testConnection } from '../../test/support/workbench.ts';
import { email } from '../tags/email.mjs';
import { median } from '../support.mjs';
import { ECHO, ECHO_IN_EMAIL, installEcho } from './echo.mjs';

/** Keystrokes of each turn; the first ones warm up and don't count. */
const KEYSTROKES = 24;
const WARM_UP = 6;
const WORD_LENGTH = 6;
/** Pauses between a painted letter and the next key, used in turn, because people don't type at a constant rate. */
const rests = [90, 140, 200, 110, 170, 250];
/** Turns of each kind, alternating, so that other work of the machine affects both. */
const TURNS = 4;
const sizes = [20, 177];

/** Runs in the workbench's window. Times are in milliseconds since 1970, as in the other frames. */
const followKeys = () => {
  const keys = [];
  globalThis.addEventListener('keydown', () => keys.push(performance.timeOrigin + performance.now()), {
    capture: true,
  });
  globalThis.keysPressed = keys;
};

/** Runs in a page and records when each change of the email, or else of the page, was painted. The first task after a frame runs after its painting. */
const followFrames = () => {
  const painted = [];
  const shown = globalThis.document.querySelector('iframe.mail')?.contentDocument ?? globalThis.document.body;
  new globalThis.MutationObserver(() => {
    globalThis.requestAnimationFrame(() => {
      const channel = new globalThis.MessageChannel();
      channel.port1.onmessage = () => painted.push(performance.timeOrigin + performance.now());
      channel.port2.postMessage(undefined);
    });
  }).observe(shown, { subtree: true, childList: true, characterData: true, attributes: true });
  globalThis.framesPainted = painted;
};

/** @param {import('playwright-core').Frame} frame @param {string} name @returns {Promise<number[]>} */
const taken = (frame, name) => frame.evaluate((list) => globalThis[list].splice(0), name);

/** Types letters and returns the time from each key to the next painted frame. */
async function typing(workbench, preview) {
  const { page, editors } = workbench;
  const main = page.mainFrame();
  await preview.evaluate(followFrames);
  await editors.show('Keys.html');
  await editors.goTo(12, 60);
  const times = [];
  for (let turn = 0; turn < KEYSTROKES; turn += 1) {
    await taken(main, 'keysPressed');
    await taken(preview, 'framesPainted');
    // A long word would widen its column, and all cells would be laid out again.
    await page.keyboard.press(turn % WORD_LENGTH === 0 ? ' ' : 'x');
    await preview.waitForFunction(() => globalThis.framesPainted.length > 0);
    const [[pressed = NaN], [painted = NaN]] = [
      await taken(main, 'keysPressed'),
      await taken(preview, 'framesPainted'),
    ];
    if (turn >= WARM_UP) times.push(painted - pressed);
    await page.waitForTimeout(rests[turn % rests.length] ?? 0);
  }
  return times;
}

async function lookAs(preview, who) {
  await preview.getByLabel('Preview as').selectOption(who, { force: true });
  await preview.page().waitForTimeout(1500);
}

/** The floor column is the time of the echo, and without checks. */
export async function measure() {
  const installation = await openInstallation();
  const removeEcho = installEcho(installation.extensionsDir);
  const rows = [];
  try {
    for (const size of sizes) {
      const seed = (client) =>
        client.createTemplate({ name: 'Keys', body: email(size * 1024), subject: 'Hi {subscriber:name}' });
      const { workbench, close } = await openWorkbench(installation, { seed });
      try {
        rows.push(...(await compared(workbench, size)));
        if (size === sizes.at(-1)) rows.push(await checked(workbench, size));
      } finally {
        await close();
      }
    }
    return { title: 'Keystroke → pixels in the workbench (floors: the letter echoed; without checks)', rows };
  } finally {
    await installation.close();
    removeEcho();
  }
}

async function compared(workbench, size) {
  await workbench.enterApiKey();
  await workbench.explorer.open();
  await (await workbench.explorer.row([testConnection.name, 'Templates', 'Keys'])).click();
  await workbench.editors.waitForActive('Keys.html');
  await workbench.editors.titleAction('Open Preview to the Side');
  await workbench.webviews.frame('preview');
  for (const title of [ECHO, ECHO_IN_EMAIL]) {
    await workbench.editors.show('Keys.html');
    await workbench.run(title);
  }
  await workbench.notifications.clear();
  await workbench.page.evaluate(followKeys);
  const times = { echo: [], echoInEmail: [], own: [], person: [] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    times.echo.push(...(await typing(workbench, await showEcho(workbench, ECHO))));
    times.echoInEmail.push(...(await typing(workbench, await showEcho(workbench, ECHO_IN_EMAIL))));
    await workbench.editors.show('Preview Keys');
    const preview = await workbench.webviews.frame('preview');
    await lookAs(preview, 'Raw tags');
    times.own.push(...(await typing(workbench, preview)));
    await lookAs(preview, 'Typical subscriber');
    times.person.push(...(await typing(workbench, preview)));
  }
  const [echo, inEmail, own, person] = [
    median(times.echo),
    median(times.echoInEmail),
    median(times.own),
    median(times.person),
  ];
  return [
    [`${size} KB, echoed in the email`, inEmail, echo, inEmail / echo, 'ms'],
    [`${size} KB, raw tags`, own, echo, own / echo, 'ms'],
    [`${size} KB, previewed as a person`, person, echo, person / echo, 'ms'],
  ];
}

/** Shows the page of an echo, and returns it. */
async function showEcho({ page, editors }, title) {
  await editors.show(title);
  for (;;) {
    for (const frame of page.frames()) if ((await frame.title().catch(() => '')) === title) return frame;
    await page.waitForTimeout(50);
  }
}

/** Types in the same email with and without checks, alternating. The window is reloaded for each. */
async function checked(workbench, size) {
  const [off, on] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [enabled, times] of [
      [false, off],
      [true, on],
    ]) {
      await workbench.editors.save();
      await workbench.editors.waitForDirty('Keys.html', false);
      await workbench.changeSettings({ 'mailing.checks.enabled': enabled });
      const preview = await workbench.webviews.frame('preview');
      await preview.locator('iframe.mail').waitFor();
      await lookAs(preview, 'Raw tags');
      await workbench.page.evaluate(followKeys);
      times.push(...(await typing(workbench, preview)));
    }
  }
  return [`${size} KB, checked`, median(on), median(off), median(on) / median(off), 'ms'];
}
