import assert from 'node:assert/strict';
import type { Frame, Page, Request } from 'playwright-core';

/** A page must answer within this time, in ms. */
const patience = 2000;
/** A machine that is busy with something else gets more chances. */
const tries = 4;

/** Watches a window for what hostile content would do: run, reach out, navigate, ask, open, save, hold up. */
export class Guard {
  readonly #page: Page;
  readonly #origin: string;
  /** What it did, in words. */
  readonly #found: string[] = [];
  /** What was asked for and not blocked, with what became of it. */
  readonly #asked = new Map<Request, string>();
  #allowed: (address: string, kind: string) => boolean = () => false;

  constructor(page: Page) {
    this.#page = page;
    this.#origin = new URL(page.url()).origin;
    page.on('dialog', (dialog) => {
      this.#found.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => this.#found.push(`a window: ${popup.url()}`));
    page.on('download', (download) => this.#found.push(`a download: ${download.url()}`));
    page.on('filechooser', () => this.#found.push('a choice of files'));
    page.on('framenavigated', (frame) => {
      if (!this.#isOwn(frame.url()) && frame.url() !== 'about:blank')
        this.#found.push(`a frame that went to ${frame.url().slice(0, 200)}`);
    });
    page.on('request', (request) => this.#asked.set(request, 'under way'));
    page.on('response', (response) => this.#asked.set(response.request(), `answered ${response.status()}`));
    // What the policy, or the browser itself, blocked never left the page.
    page.on('requestfailed', (request) => {
      const cause = request.failure()?.errorText ?? '';
      if (/^(?:csp|origin|net::ERR_BLOCKED_BY_CSP)/iu.test(cause)) this.#asked.delete(request);
      else this.#asked.set(request, `failed: ${cause}`);
    });
  }

  /** What may be asked for from now on, beside the workbench's own files. `kind` is the browser's word: `image`, `font`, … */
  allow(allowed: (address: string, kind: string) => boolean): void {
    this.#allowed = allowed;
  }

  /** Nothing ran, nothing was asked for that may not be. Looks into every frame. */
  async check(what: string): Promise<void> {
    for (const frame of this.#page.frames()) {
      const ran = await frame
        .evaluate(() => Object.hasOwn(globalThis, 'ran') && String((globalThis as { ran?: unknown }).ran))
        .catch(() => false);
      if (ran) this.#found.push(`a script that ran in ${frame.url().slice(0, 80)}`);
    }
    const foreign = (): [Request, string][] =>
      [...this.#asked].filter(
        ([request]) => !this.#isOwn(request.url()) && !this.#allowed(request.url(), request.resourceType()),
      );
    // What becomes of a request is known a moment later.
    for (let turn = 0; turn < 10 && foreign().length > 0; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    for (const [request, state] of foreign())
      this.#found.push(`a request (${request.resourceType()}) for ${request.url().slice(0, 200)}: ${state}`);
    this.#asked.clear();
    assert.deepEqual(this.#found, [], what);
  }

  /** What is done is done within two seconds. Where it isn't, it is done again after `again`, for the case that it was the machine that was slow. */
  async responds(
    what: string,
    act: () => Promise<unknown>,
    again: () => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    const taken: number[] = [];
    for (let turn = 0; turn < tries; turn += 1) {
      if (turn > 0) await again();
      const from = performance.now();
      const answered = await Promise.race([
        act().then(() => true),
        new Promise<false>((resolve) => setTimeout(() => resolve(false), 30_000).unref()),
      ]);
      assert.ok(answered, `${what}: no answer at all.`);
      taken.push(Math.round(performance.now() - from));
      if ((taken.at(-1) ?? 0) <= patience) return;
    }
    assert.fail(`${what}: answers took ${taken.join(', ')} ms.`);
  }

  /** An answer of the workbench, or of a page in it, after it has drawn what it was given. */
  drawn(frame: Frame | Page = this.#page): () => Promise<unknown> {
    return () =>
      frame.evaluate(
        () =>
          new Promise<void>((resolve) => {
            requestAnimationFrame(() => setTimeout(resolve));
          }),
      );
  }

  #isOwn(address: string): boolean {
    return (
      /^(?:data|blob|about|vscode-webview|vscode-remote|devtools):/u.test(address) ||
      address === '' ||
      new URL(address).origin === this.#origin ||
      (/^wss?:/u.test(address) && new URL(address).host === new URL(this.#origin).host) ||
      /^https:\/\/[\w+.-]+\.vscode-(?:resource\.)?(?:vscode-)?cdn\.net\//u.test(address)
    );
  }
}
