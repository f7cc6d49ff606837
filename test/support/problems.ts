import type { ConsoleMessage, Page } from 'playwright-core';

/** Errors of VS Code's server without native modules, gallery, service worker and accounts. */
const EXPECTED_ERRORS: readonly RegExp[] = [
  /bindings file|spdlog|native-watchdog|\/watchdog'|sqlite3|kerberos|vsda/,
  /favicon|\/update\/check|serviceWorker|ServiceWorker|service-worker/,
  /A bad HTTP response code \(404\) was received when fetching the script/,
  /authentication provider 'github'/,
  // Remote images are blocked until the user allows them.
  /violates the following Content Security Policy directive: "img-src [^"]*data:[^"]*"/,
  // The browser resolves only the names of this computer.
  /net::ERR_(?:NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|BLOCKED_BY_CLIENT)/,
];

/** Matches the text, stack or location of the extension's errors. The scratch folder has its name too, also in VS Code's own errors. */
const OWN_ERROR = /mailing(?!-studio-\w{6}\b)|extension host|vscode-webview|dist\/webviews|Content Security Policy/iu;

/** Collects the errors that the workbench, the extension host and the webviews log. */
export class Problems {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];
  #paused = false;

  constructor(page: Page) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#note(formatMessage(message));
    });
    page.on('pageerror', (error) => this.#note(error.stack ?? error.message));
  }

  /** Allows an error that the test provokes. */
  allow(pattern: RegExp): void {
    this.#allowed.push(pattern);
  }

  /** Discards the errors and allowed patterns so far. */
  clear(): void {
    this.#found.length = 0;
    this.#allowed.length = 0;
  }

  /** Ignores errors while `act` runs, such as those of a page that is closing. */
  async pauseDuring<T>(act: () => Promise<T>): Promise<T> {
    this.#paused = true;
    try {
      return await act();
    } finally {
      this.#paused = false;
    }
  }

  /** Logged errors that are not expected or allowed, oldest first. */
  get all(): readonly string[] {
    return this.#found.filter((text) => !this.#allowed.some((pattern) => pattern.test(text)));
  }

  #note(text: string) {
    // The workbench also logs its own errors, such as those of its storage and its shutdown.
    if (!this.#paused && OWN_ERROR.test(text) && !EXPECTED_ERRORS.some((pattern) => pattern.test(text)))
      this.#found.push(text);
  }
}

function formatMessage(message: ConsoleMessage) {
  const { url, lineNumber } = message.location();
  // `%c` marks a color change; further arguments contain the colors.
  return `${message
    .text()
    .replaceAll('%c', '')
    .replace(/^(\s*ERR) color: #\w+/, '$1')} (${url}:${lineNumber})`;
}
