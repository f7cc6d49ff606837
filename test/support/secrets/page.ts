import type { BrowserContext, Page, Request } from 'playwright-core';
import { formsIn } from './forms.ts';

/** Where a form of the secret was found. */
export interface SecretMatch {
  readonly where: string;
  readonly form: string;
  /** What stands around it. */
  readonly around: string;
}

/** How much was looked through, of each kind: a search that saw nothing has proved nothing. */
export type SearchCounts = Record<'texts' | 'messages' | 'requests' | 'console', number>;

/** What the script in every frame reports. */
interface Report {
  readonly found: readonly { readonly where: string; readonly form: string; readonly around: string }[];
  readonly texts: number;
  readonly messages: number;
}

/**
 * Runs in every frame of the window, before anything else: looks at each text and attribute that comes into its document, and at the data
 * of each message that its scripts read.
 */
function watch(forms: readonly (readonly [string, string])[]): void {
  const reportName = 'reportSecrets';
  const found: { where: string; form: string; around: string }[] = [];
  let texts = 0;
  let messages = 0;
  const search = (text: string, where: string): void => {
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
  const searchValue = (value: unknown, where: string, seen: Set<unknown>): void => {
    if (typeof value === 'string') return search(value, where);
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
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
    for (const each of entries) searchValue(each, where, seen);
  };
  const searchNode = (node: Node): void => {
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
      // What was there for a moment only is seen as what was there before.
      if (oldValue !== null) search(oldValue, attributeName === null ? 'text' : `attribute ${attributeName}`);
      if (type === 'characterData') search(target.textContent ?? '', 'text');
      if (type === 'attributes' && target instanceof Element && attributeName !== null)
        search(target.getAttribute(attributeName) ?? '', `attribute ${attributeName}`);
      addedNodes.forEach(searchNode);
    }
  });
  const looked = new WeakMap<Node, ChildNode | null>();
  function look(root: Node): void {
    observer.observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeOldValue: true,
      characterDataOldValue: true,
    });
    if (looked.get(root) === root.firstChild) return;
    looked.set(root, root.firstChild);
    root.childNodes.forEach(searchNode);
  }
  look(document);
  // A webview writes its page into a document that was there before, which is no longer observed then.
  setInterval(() => look(document), 50);
  const attach = Object.getOwnPropertyDescriptor(Element.prototype, 'attachShadow');
  Object.defineProperty(Element.prototype, 'attachShadow', {
    ...attach,
    value(this: Element, init: ShadowRootInit) {
      const shadow = (attach?.value as (this: Element, init: ShadowRootInit) => ShadowRoot).call(this, init);
      look(shadow);
      return shadow;
    },
  });

  const read = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  if (read?.get) {
    const get = read.get as (this: MessageEvent) => unknown;
    const known = new WeakSet<MessageEvent>();
    Object.defineProperty(MessageEvent.prototype, 'data', {
      ...read,
      get(this: MessageEvent) {
        const data = get.call(this);
        // Over its socket the workbench brings the key from the input box to the extension, and from there to the store of secrets.
        if (!(this.target instanceof WebSocket) && !known.has(this)) {
          known.add(this);
          messages += 1;
          look(document);
          searchValue(data, 'a message', new Set());
        }
        return data;
      },
    });
  }
  Object.defineProperty(window, reportName, {
    configurable: true,
    value: (): Report => {
      look(document);
      return { found: found.splice(0), texts, messages };
    },
  });
}

/** Searches what a window shows, hands around, asks for and stores, from its first moment on. */
export class PageSearch {
  readonly #forms: ReadonlyMap<string, string>;
  readonly #matches: SecretMatch[] = [];
  readonly #frames = new Map<string, { readonly texts: number; readonly messages: number } | undefined>();
  readonly counts: SearchCounts = { texts: 0, messages: 0, requests: 0, console: 0 };

  private constructor(forms: ReadonlyMap<string, string>) {
    this.#forms = forms;
  }

  /** To be called before the context has a page. */
  static async install(context: BrowserContext, forms: ReadonlyMap<string, string>): Promise<PageSearch> {
    const search = new PageSearch(forms);
    // A bundler may name functions by a helper that the page has not.
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

  /** Notes the forms of the secret in a text. */
  note(where: string, text: string): void {
    for (const form of formsIn(text, this.#forms)) {
      const at = text.indexOf(this.#forms.get(form) ?? '');
      this.#matches.push({ where, form, around: text.slice(Math.max(0, at - 60), at + 100) });
    }
  }

  /** Looks at everything that is in the window now: the report of each frame, its whole HTML, and what the browser stores. */
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

  /** What was found so far. */
  get matches(): readonly SecretMatch[] {
    return this.#matches;
  }

  /** What was looked through in each frame that was ever there; undefined: it could not be searched. */
  get frames(): ReadonlyMap<string, { readonly texts: number; readonly messages: number } | undefined> {
    return this.#frames;
  }

  async #request(request: Request): Promise<void> {
    this.counts.requests += 1;
    this.note('an address', request.url());
    this.note('the headers of a request', JSON.stringify(await request.allHeaders().catch(() => ({}))));
    this.note('the body of a request', request.postData() ?? '');
  }
}
