import assert from 'node:assert/strict';
import type { Frame, Page, Request } from 'playwright-core';
import { eventually, WAIT_TIMEOUT_MS } from './eventually.ts';

const UNDER_WAY = 'under way';

/** Watches a window for effects of hostile content: scripts, requests, navigation, dialogs, windows, downloads and hangs. */
export class Guard {
  readonly #page: Page;
  readonly #origin: string;
  /** Descriptions of the detected effects. */
  readonly #effects: string[] = [];
  /** Requests that were not blocked, and their state. */
  readonly #requests = new Map<Request, string>();
  #isAllowed: (address: string, kind: string) => boolean = () => false;

  constructor(page: Page) {
    this.#page = page;
    this.#origin = new URL(page.url()).origin;
    page.on('dialog', (dialog) => {
      this.#effects.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => this.#effects.push(`a window: ${popup.url()}`));
    page.on('download', (download) => this.#effects.push(`a download: ${download.url()}`));
    page.on('filechooser', () => this.#effects.push('a choice of files'));
    page.on('framenavigated', (frame) => {
      if (!this.#isOwn(frame.url()) && frame.url() !== 'about:blank')
        this.#effects.push(`a frame that went to ${frame.url().slice(0, 200)}`);
    });
    page.on('request', (request) => this.#requests.set(request, UNDER_WAY));
    page.on('response', (response) => this.#requests.set(response.request(), `answered ${response.status()}`));
    // Requests blocked by the policy or the browser never left the page.
    page.on('requestfailed', (request) => {
      const cause = request.failure()?.errorText ?? '';
      if (/^(?:csp|origin|net::ERR_BLOCKED_BY_CSP)/iu.test(cause)) this.#requests.delete(request);
      else this.#requests.set(request, `failed: ${cause}`);
    });
  }

  /** Sets the allowed requests beyond the workbench's own files. `kind` is the resource type: `image`, `font`, … */
  allow(allowed: (address: string, kind: string) => boolean): void {
    this.#isAllowed = allowed;
  }

  /** Asserts that no script ran in any frame and no disallowed request was sent. */
  async check(what: string): Promise<void> {
    for (const frame of this.#page.frames()) {
      const ran = await frame
        .evaluate(() => Object.hasOwn(globalThis, 'ran') && String((globalThis as { ran?: number }).ran))
        .catch(() => false);
      if (ran) this.#effects.push(`a script that ran in ${frame.url().slice(0, 80)}`);
    }
    const getForeignRequests = () =>
      [...this.#requests].filter(
        ([request]) => !this.#isOwn(request.url()) && !this.#isAllowed(request.url(), request.resourceType()),
      );
    // A blocked request reports its state later.
    await eventually(() => assert.ok(getForeignRequests().every(([, state]) => state !== UNDER_WAY))).catch(
      () => undefined,
    );
    for (const [request, state] of getForeignRequests())
      this.#effects.push(`a request (${request.resourceType()}) for ${request.url().slice(0, 200)}: ${state}`);
    this.#requests.clear();
    assert.deepEqual(this.#effects, [], what);
  }

  /** Asserts that an action completes. */
  async assertResponds(what: string, act: () => Promise<object | void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`${what}: no answer within ${WAIT_TIMEOUT_MS / 1000} s.`)),
        WAIT_TIMEOUT_MS,
      );
    });
    await Promise.race([act(), timeout]).finally(() => clearTimeout(timer));
  }

  /** Returns a function that waits until the workbench, or a page in it, has drawn. */
  waitUntilDrawn(frame: Frame | Page = this.#page): () => Promise<void> {
    return () =>
      frame.evaluate(
        () =>
          new Promise<void>((resolve) => {
            requestAnimationFrame(() => setTimeout(resolve));
          }),
      );
  }

  #isOwn(address: string) {
    return (
      /^(?:data|blob|about|vscode-webview|vscode-remote|devtools):/u.test(address) ||
      address === '' ||
      new URL(address).origin === this.#origin ||
      (/^wss?:/u.test(address) && new URL(address).host === new URL(this.#origin).host) ||
      /^https:\/\/[\w+.-]+\.vscode-(?:resource\.)?(?:vscode-)?cdn\.net\//u.test(address)
    );
  }
}
