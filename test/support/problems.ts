import type { ConsoleMessage, Page } from 'playwright-core';

/** What VS Code's server says without its native modules, gallery, service worker and accounts: nothing of ours. */
const expected: readonly RegExp[] = [
  /bindings file|spdlog|native-watchdog|\/watchdog'|sqlite3|kerberos|vsda/,
  /favicon|\/update\/check|serviceWorker|ServiceWorker|service-worker/,
  /A bad HTTP response code \(404\) was received when fetching the script/,
  /authentication provider 'github'/,
  // Remote images are blocked until the reader asks for them.
  /violates the following Content Security Policy directive: "img-src [^"]*data:[^"]*"/,
  // The browser resolves no name but this machine's.
  /net::ERR_(?:NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|BLOCKED_BY_CLIENT)/,
];

/** What an error of the extension names in its text, its stack or its place. */
const ours = /mailing|extension host|vscode-webview|dist\/webviews|Content Security Policy/iu;

/** Collects what the workbench, the extension host and the webviews log as an error. */
export class Problems {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];
  #paused = false;

  constructor(page: Page) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#note(textOf(message));
    });
    page.on('pageerror', (error) => this.#note(error.stack ?? error.message));
  }

  /** A test that provokes an error says which. */
  allow(pattern: RegExp): void {
    this.#allowed.push(pattern);
  }

  /** What was found and allowed so far counts no more. */
  forget(): void {
    this.#found.length = 0;
    this.#allowed.length = 0;
  }

  /** Listens to nothing while `act` runs: what a page logs that is being left is not looked at by anybody. */
  async without<T>(act: () => Promise<T>): Promise<T> {
    this.#paused = true;
    try {
      return await act();
    } finally {
      this.#paused = false;
    }
  }

  /** What was logged and neither expected nor allowed, oldest first. */
  get all(): readonly string[] {
    return this.#found.filter((text) => !this.#allowed.some((pattern) => pattern.test(text)));
  }

  #note(text: string): void {
    // The workbench logs errors of its own too, of its storage and its shutdown: ours name the extension, its host or its pages.
    if (!this.#paused && ours.test(text) && !expected.some((pattern) => pattern.test(text))) this.#found.push(text);
  }
}

function textOf(message: ConsoleMessage): string {
  const { url, lineNumber } = message.location();
  // `%c` is where the console changes colour; the colours themselves follow as further arguments.
  return `${message
    .text()
    .replaceAll('%c', '')
    .replace(/^(\s*ERR) color: #\w+/, '$1')} (${url}:${lineNumber})`;
}
