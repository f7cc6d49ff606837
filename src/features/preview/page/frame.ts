import { t } from '@vscode/l10n';
import {
  blockedElementNames,
  restrictedAttributeNames,
  isBlockedElement,
  isSafeAttribute,
} from '../../../email/compose/safety.ts';
import { limitPictures, limitStylePictures, pictureAttributeNames } from '../../../email/checks/pictureLimits.ts';
import { resolveSchemeAttributes, type Scheme } from './scheme.ts';

const droppedSelector = blockedElementNames.join(',');
const guardedSelector = restrictedAttributeNames.map((name) => `[*|${name.replace(/^.*:/, '')}]`).join(',');
const eventHandlerAttribute = /\bon[a-z]+\s*=/i;

/** Elements that become properties of their document or form. The elements in a form come first: they would hide its own members. */
const namedSelectors = ['img, button, fieldset, input, output, select, textarea, embed, iframe, object', 'form'];
const isMember = (name: string | null) =>
  name !== null && (name in Document.prototype || name in HTMLFormElement.prototype);

/** Keeps elements from hiding members of their document and form, such as `querySelector`, which this page uses. */
function exposeMembers(document: Document) {
  for (const selector of namedSelectors) {
    for (const element of Document.prototype.querySelectorAll.call(document, selector)) {
      if (!isMember(element.getAttribute('name')) && !isMember(element.getAttribute('id'))) continue;
      element.removeAttribute('name');
      // A form control without a form. Its style may depend on its ID.
      element.setAttribute('form', '');
      if (element.matches('object, form img')) element.removeAttribute('id');
    }
  }
}

/**
 * Parses a document without loading anything, and removes what `email/compose/safety.ts` doesn't allow. `base` is that of relative addresses. Without
 * one they don't resolve: they would be addresses of the extension.
 */
export function prepareDocument(html: string, { scheme, base }: { scheme: Scheme; base?: string }): Document {
  const document = new DOMParser().parseFromString(html, 'text/html');
  exposeMembers(document);
  for (const element of document.querySelectorAll(droppedSelector)) {
    if (isBlockedElement(element.localName.toLowerCase(), (name) => element.getAttribute(name))) element.remove();
  }
  for (const element of document.querySelectorAll(guardedSelector)) {
    for (const name of restrictedAttributeNames) {
      const value = element.getAttribute(name);
      if (value !== null && !isSafeAttribute(name, value)) element.removeAttribute(name);
    }
  }
  for (const name of pictureAttributeNames) {
    // `[xlink:href]` is not a selector.
    for (const element of document.querySelectorAll(`[*|${name.replace(/^.*:/, '')}]`)) {
      const value = element.getAttribute(name) ?? '';
      const limited = limitPictures(name, value);
      if (limited !== value) element.setAttribute(name, limited);
    }
  }
  for (const style of document.querySelectorAll('style')) {
    const limited = limitStylePictures(style.textContent);
    if (limited !== style.textContent) style.textContent = limited;
  }
  if (eventHandlerAttribute.test(html)) {
    for (const element of document.querySelectorAll('*')) {
      for (const { name } of [...element.attributes]) if (/^on/i.test(name)) element.removeAttribute(name);
    }
  }
  // A stylesheet is fetched with its own referrer policy, and removing the attribute would not reset it.
  for (const link of document.querySelectorAll('link')) link.setAttribute('referrerpolicy', 'no-referrer');
  resolveSchemeAttributes(document, scheme);
  const baseElement = document.createElement('base');
  baseElement.href = base ?? 'about:invalid';
  document.head.prepend(baseElement);
  return document;
}

/**
 * Returns the content security policy of an email. `remote` allows remote content; stylesheets and fonts may also come from the folder at `root`.
 * This page inserts local pictures itself.
 */
export function getFramePolicy(remote: boolean, root: string | undefined): string {
  const local = root ? ` ${toPolicySource(new URL(root))}` : '';
  const outside = remote ? ' https: http:' : '';
  return [
    "default-src 'none'",
    `img-src data:${outside}`,
    `style-src 'unsafe-inline'${local}${outside}`,
    `font-src data:${local}${outside}`,
    "form-action 'none'",
  ].join('; ');
}

/** Converts a folder's address to a CSP source. If the first label of the host has characters that CSP doesn't allow, a wildcard replaces it. */
function toPolicySource({ origin, protocol, host, pathname }: URL) {
  const place = /^[\w.:-]+$/.test(host) ? origin : `${protocol}//*${host.slice(host.indexOf('.'))}`;
  return place + pathname.replace(/[;,"']/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
}

/** The frame of an email, and its document. */
export interface MailFrame {
  readonly element: HTMLIFrameElement;
  readonly document: Document;
  readonly window: Window;
}

/**
 * Opens an empty frame with the email's doctype, which selects quirks or standards mode. The sandbox allows no scripts; it has this page's origin so
 * that this page can access it. The policy stays in force even if the email removes its `meta` element.
 */
export function openFrame(stage: HTMLElement, doctype: string, policy: string): MailFrame {
  const element = document.createElement('iframe');
  element.setAttribute('sandbox', 'allow-same-origin');
  element.className = 'mail';
  element.title = t('Email');
  stage.append(element);
  const inner = element.contentDocument;
  const view = element.contentWindow;
  if (!inner || !view) throw new Error("Couldn't open the frame of the preview.");
  inner.open();
  // DNS prefetching and referrers would reveal to the sender that the email is being viewed.
  const privacyTags =
    '<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">';
  inner.write(
    `${doctype}<html><head><meta http-equiv="Content-Security-Policy" content="${policy}">${privacyTags}</head><body></body></html>`,
  );
  inner.close();
  // The browser keeps applying them after their removal. If they stayed, patching would turn them into the email's own `meta` elements attribute by
  // attribute.
  for (const meta of inner.querySelectorAll('meta')) meta.remove();
  return { element, document: inner, window: view };
}

/** Returns a document's doctype as text, empty if it has none. */
export function serializeDoctype(document: Document): string {
  return document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '';
}
