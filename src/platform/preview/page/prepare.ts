import {
  blockedElementNames,
  restrictedAttributeNames,
  isBlockedElement,
  isSafeAttribute,
} from '../../../email/compose/safety.ts';
import { resolveSchemeAttributes } from './scheme.ts';
import type { Scheme } from './scheme.ts';

export interface PrepareOptions {
  readonly scheme: Scheme;
  /** Base of relative addresses. Without one they don't resolve: they would be addresses of the extension. */
  readonly base?: string;
}

const droppedSelector = blockedElementNames.join(',');
const guardedSelector = restrictedAttributeNames.map((name) => `[*|${name.replace(/^.*:/, '')}]`).join(',');
const eventHandlerAttribute = /\bon[a-z]+\s*=/i;

/** Parses a document without loading anything, and removes what `email/compose/safety.ts` doesn't allow. */
export function prepareDocument(html: string, { scheme, base }: PrepareOptions): Document {
  const document = new DOMParser().parseFromString(html, 'text/html');
  for (const element of document.querySelectorAll(droppedSelector)) {
    if (isBlockedElement(element.localName.toLowerCase(), (name) => element.getAttribute(name))) element.remove();
  }
  for (const element of document.querySelectorAll(guardedSelector)) {
    for (const name of restrictedAttributeNames) {
      const value = element.getAttribute(name);
      if (value !== null && !isSafeAttribute(name, value)) element.removeAttribute(name);
    }
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
