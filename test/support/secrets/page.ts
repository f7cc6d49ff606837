import type { BrowserContext, Page, Request } from 'playwright-core';
import { formsIn } from './forms.ts';

/** A location that contains the secret. */
export interface SecretMatch {
  readonly where: string;
  readonly form: string;
  /** The surrounding text. */
  readonly around: string;
}

/** The amount of searched input. A search without input proves nothing. */
export type SearchCounts = Record<'texts' | 'messages' | 'requests' | 'console', number>;

/** The report of a frame's script. */
interface Report {
  readonly found: readonly { readonly where: string; readonly form: string; readonly around: string }[];
  readonly texts: number;
  readonly messages: number;
}

/**
 * Runs in every frame before its own scripts. Searches all texts and attributes added to the document, and the data of received messages.
 */
function watch(forms: readonly (readonly [string, string])[]) {
  const reportName = 'reportSecrets';
  const found: { where: string; form: string; around: string }[] = [];
  let texts = 0;
  let messages = 0;
  const shortest = Math.min(...forms.map(([, needle]) => needle.length));
  const search = (text: string, where: string) => {
    if (text.length < shortest) return;
    for (const [form, needle] of forms) {
      const at = text.indexOf(needle);
      if (at >= 0)
        found.push({
          where: `${where} in ${location.href.slice(0, 60)}`,
          form,
          around: text.slice(Math.max(0, at - 60), at + needle.length + 60),
        });
    }
  };
  const searchValue = (value: unknown, where: string, visited: Set<object>) => {
    if (typeof value === 'string') return search(value, where);
    if (typeof value !== 'object' || value === null || visited.has(value)) return;
    visited.add(value);
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      const bytes =
        value instanceof ArrayBuffer
          ? new Uint8Array(value)
          : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      return search(new TextDecoder('latin1').decode(bytes), where);
    }
    const entries =
      value instanceof Map
        ? [...value].flat()
        : value instanceof Set
          ? [...value]
          : [...Object.keys(value), ...(Object.values(value) as unknown[])];
    for (const each of entries) searchValue(each, where, visited);
  };
  const searchNode = (node: Node) => {
    texts += 1;
    if (node instanceof Element) {
      search(node.outerHTML, 'HTML');
      const roots = [node, ...node.querySelectorAll('*')];
      for (const each of roots) {
        if ((each instanceof HTMLInputElement && each.type !== 'password') || each instanceof HTMLTextAreaElement)
          search(each.value, 'a field');
      }
    } else search(node.textContent ?? '', 'text');
  };
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes, attributeName, oldValue } of records) {
      // Short-lived values appear as old values.
      if (oldValue !== null) search(oldValue, attributeName === null ? 'text' : `attribute ${attributeName}`);
      if (type === 'characterData') search(target.textContent ?? '', 'text');
      if (type === 'attributes' && target instanceof Element && attributeName !== null)
        search(target.getAttribute(attributeName) ?? '', `attribute ${attributeName}`);
      addedNodes.forEach(searchNode);
    }
  });
  const searchedRoots = new WeakMap<Node, ChildNode | null>();
  function observe(root: Node) {
    observer.observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeOldValue: true,
      characterDataOldValue: true,
    });
    if (searchedRoots.get(root) === root.firstChild) return;
    searchedRoots.set(root, root.firstChild);
    root.childNodes.forEach(searchNode);
  }
  observe(document);
  // A webview opens its document again to write its content, which ends the observation.
  const open = Object.getOwnPropertyDescriptor(Document.prototype, 'open');
  Object.defineProperty(Document.prototype, 'open', {
    ...open,
    value(this: Document, ...given: Parameters<Document['open']>) {
      const opened = (open?.value as Document['open']).apply(this, given);
      if (this === document) observe(this);
      return opened;
    },
  });
  setInterval(() => observe(document), 50);
  const attach = Object.getOwnPropertyDescriptor(Element.prototype, 'attachShadow');
  Object.defineProperty(Element.prototype, 'attachShadow', {
    ...attach,
    value(this: Element, init: ShadowRootInit) {
      const shadow = (attach?.value as (this: Element, init: ShadowRootInit) => ShadowRoot).call(this, init);
      observe(shadow);
      return shadow;
    },
  });

  const read = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  if (read?.get) {
    const get = read.get as (this: MessageEvent) => unknown;
    const readEvents = new WeakSet<MessageEvent>();
    Object.defineProperty(MessageEvent.prototype, 'data', {
      ...read,
      get(this: MessageEvent) {
        const data = get.call(this);
        // The workbench's socket carries the key from the input box to the extension and to the secret store.
        if (!(this.target instanceof WebSocket) && !readEvents.has(this)) {
          readEvents.add(this);
          messages += 1;
          observe(document);
          searchValue(data, 'a message', new Set());
        }
        return data;
      },
    });
  }
  Object.defineProperty(window, reportName, {
    configurable: true,
    value: (): Report => {
      observe(document);
      return { found: found.splice(0), texts, messages };
    },
  });
}

/** Searches everything that a window shows, sends and stores, from its start. */
export class PageSearch {
  readonly #forms: ReadonlyMap<string, string>;
  readonly #matches: SecretMatch[] = [];
  readonly #frames = new Map<string, { readonly texts: number; readonly messages: number } | undefined>();
  readonly counts: SearchCounts = { texts: 0, messages: 0, requests: 0, console: 0 };

  private constructor(forms: ReadonlyMap<string, string>) {
    this.#forms = forms;
  }

  /** Must be called before the context has a page. */
  static async install(context: BrowserContext, forms: ReadonlyMap<string, string>): Promise<PageSearch> {
    const search = new PageSearch(forms);
    // Bundled functions may call a helper that the page lacks.
    await context.addInitScript(
      `globalThis.__name ??= (each) => each; (${watch.toString()})(${JSON.stringify([...forms])});`,
    );
    context.on('request', (request) => void search.#request(request));
    context.on('console', (message) => {
      search.counts.console += 1;
      search.note('the console', message.text());
    });
    return search;
  }

  /** Records matches in a text. */
  note(where: string, text: string): void {
    for (const form of formsIn(text, this.#forms)) {
      const at = text.indexOf(this.#forms.get(form) ?? '');
      this.#matches.push({ where, form, around: text.slice(Math.max(0, at - 60), at + 100) });
    }
  }

  /** Searches the current state of the window: the report of each frame, its HTML, and the browser's storage. */
  async check(page: Page): Promise<void> {
    for (const frame of page.frames()) {
      const report = await frame
        .evaluate(() => (globalThis as { reportSecrets?: () => Report }).reportSecrets?.())
        .catch(() => undefined);
      this.#frames.set(frame.url().slice(0, 200), report && { texts: report.texts, messages: report.messages });
      if (report) {
        this.#matches.push(...report.found);
        this.counts.texts += report.texts;
        this.counts.messages += report.messages;
      }
      this.note(`the HTML of ${frame.url().slice(0, 80)}`, await frame.content().catch(() => ''));
    }
    this.note('what the browser stores', JSON.stringify(await page.context().storageState({ indexedDB: true })));
    this.note(
      'what the browser stores for this session',
      await page.evaluate(() => JSON.stringify({ ...sessionStorage })),
    );
  }

  get matches(): readonly SecretMatch[] {
    return this.#matches;
  }

  /** Counts for each frame; undefined if it couldn't be searched. */
  get frames(): ReadonlyMap<string, { readonly texts: number; readonly messages: number } | undefined> {
    return this.#frames;
  }

  async #request(request: Request) {
    this.counts.requests += 1;
    this.note('an address', request.url());
    this.note('the headers of a request', JSON.stringify(await request.allHeaders().catch(() => ({}))));
    this.note('the body of a request', request.postData() ?? '');
  }
}
