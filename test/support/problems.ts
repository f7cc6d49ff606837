import type { ConsoleMessage, Page } from 'playwright-core';

/** What VS Code's server says without its native modules, gallery, service worker and accounts: nothing of ours. */
const expected: readonly RegExp[] = [
  /bindings file|spdlog|native-watchdog|\/watchdog'|sqlite3|kerberos|vsda/,
  /favicon|\/update\/check|serviceWorker|ServiceWorker|service-worker/,
  /A bad HTTP response code \(404\) was received when fetching the script/,
  /authentication provider 'github'/,
  /Long running operations during shutdown are unsupported in the web/,
  // The browser resolves no name but this machine's.
  /net::ERR_(?:NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|BLOCKED_BY_CLIENT)/,
];

/** Collects what the workbench, the extension host and the webviews log as an error. */
export class Problems {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];

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

  /** What was logged and neither expected nor allowed, oldest first. */
  get all(): readonly string[] {
    return this.#found.filter((text) => !this.#allowed.some((pattern) => pattern.test(text)));
  }

  #note(text: string): void {
    if (!expected.some((pattern) => pattern.test(text))) this.#found.push(text);
  }
}

function textOf(message: ConsoleMessage): string {
  const { url, lineNumber } = message.location();
  // `%c` is where the console changes colour; the colours themselves follow as further arguments.
  return `${message.text().replaceAll('%c', '').replace(/^(\s*ERR) color: #\w+/, '$1')} (${url}:${lineNumber})`;
}
