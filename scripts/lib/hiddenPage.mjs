/** The rate of animation frames in a hidden page. The browser draws none there, but a workbench does its layout in them. */
const FRAMES_PER_SECOND = 30;

/** Replaces animation frames by timers. Runs in the page. @param {number} delayMs between two frames */
function imitateFrames(delayMs) {
  window.requestAnimationFrame = (callback) => window.setTimeout(() => callback(performance.now()), delayMs);
  window.cancelAnimationFrame = (handle) => window.clearTimeout(handle);
}

/**
 * Opens a page in a minimized window, which costs half the CPU time of a Playwright page: the browser draws nothing, and reports no web socket
 * message to this process.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {Readonly<Record<string, (...args: any[]) => void>>} functions by the name under which the page can call them, with JSON values
 * @param {() => void} onCrash
 */
export async function openHiddenPage(browser, url, functions, onCrash) {
  const cdp = await browser.newBrowserCDPSession();
  const { browserContextId } = await cdp.send('Target.createBrowserContext');
  const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank', browserContextId });
  // Playwright's CDP sessions can't address nested sessions, so messages of the page are wrapped in messages of the browser.
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: false });
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const requests = new Map();
  cdp.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result, error, method, params } = JSON.parse(message);
    if (method === 'Runtime.bindingCalled') functions[params.name]?.(...JSON.parse(params.payload));
    else if (method === 'Inspector.targetCrashed') onCrash();
    else if (error) requests.get(id)?.reject(new Error(error.message));
    else requests.get(id)?.resolve(result);
  });
  /** @type {(method: string, params?: object) => Promise<any>} */
  const send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = requests.size + 1;
      requests.set(id, { resolve, reject });
      const message = JSON.stringify({ id, method, params });
      cdp.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject);
    });
  const { windowId } = await send('Browser.getWindowForTarget');
  await send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'minimized' } });
  await send('Inspector.enable');
  await send('Page.enable');
  await send('Runtime.enable');
  let source = `(${String(imitateFrames)})(${1000 / FRAMES_PER_SECOND});`;
  for (const name of Object.keys(functions)) {
    await send('Runtime.addBinding', { name });
    // A binding takes one string.
    source += `{ const call = window.${name}; window.${name} = (...args) => call(JSON.stringify(args)); }`;
  }
  await send('Page.addScriptToEvaluateOnNewDocument', { source });
  await send('Page.navigate', { url });
}
