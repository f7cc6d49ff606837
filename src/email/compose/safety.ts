/**
 * What makes an email safe to look at. The page that shows it runs no scripts at all and loads only what its content security policy
 * allows; what is listed here would act without a script: navigate, embed, submit, take the focus, or tell the outside.
 */

type ReadAttribute = (name: string) => string | null | undefined;

const always = (): boolean => true;

/** `http-equiv` values that act on the page which shows the email. */
const blockedPragmas = new Set([
  'refresh',
  'content-security-policy',
  'content-security-policy-report-only',
  'set-cookie',
  'default-style',
  'x-dns-prefetch-control',
  'accept-ch',
  'delegate-ch',
  'origin-trial',
]);

/** Elements left out, by name: a test of their attributes tells which. */
const blockedElementTests: Readonly<Record<string, (attribute: ReadAttribute) => boolean>> = {
  script: always,
  base: always,
  object: always,
  embed: always,
  applet: always,
  iframe: always,
  frame: always,
  portal: always,
  fencedframe: always,
  // Shows nothing, and its content can't be compared with what is shown.
  template: always,
  // Drawn once for each time they are referred to, also by each other: a drawing of a kilobyte can ask for billions of shapes.
  use: always,
  pattern: always,
  mask: always,
  marker: always,
  // As many steps as it likes, over as many pixels.
  filter: always,
  // A referrer would tell the outside the address of this page.
  meta: (attribute) =>
    blockedPragmas.has((attribute('http-equiv') ?? '').trim().toLowerCase()) ||
    (attribute('name') ?? '').trim().toLowerCase() === 'referrer',
  // Prefetching, preloading and the like tell the outside that the email was opened.
  link: (attribute) => (attribute('rel') ?? '').trim().toLowerCase() !== 'stylesheet',
};

/** Names of the elements that `isDropped` may leave out. */
export const blockedElementNames: readonly string[] = Object.keys(blockedElementTests);

/** Whether an element is left out of what is shown. `name` is in lower case. */
export function isBlockedElement(name: string, attribute: ReadAttribute): boolean {
  return Object.hasOwn(blockedElementTests, name) && blockedElementTests[name]?.(attribute) === true;
}

/** Schemes a link or an address in an email may have. An address without a scheme is relative, or a tag that the service replaces. */
const resourceSchemes = new Set(['http', 'https', 'mailto', 'tel', 'sms', 'cid', 'data']);
const linkSchemes = new Set(['http', 'https', 'mailto', 'tel', 'sms', 'cid']);

function hasScheme(allowed: ReadonlySet<string>): (value: string) => boolean {
  return (value) => {
    // Browsers skip spaces and control characters before and within a scheme.
    const plain = value.replace(/[\0- ]+/g, '');
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(plain)?.[1]?.toLowerCase();
    return scheme === undefined || allowed.has(scheme);
  };
}

const never = (): boolean => false;

/** Attributes that are kept only where their value passes. */
const attributeTests: Readonly<Record<string, (value: string) => boolean>> = {
  href: hasScheme(linkSchemes),
  'xlink:href': hasScheme(resourceSchemes),
  src: hasScheme(resourceSchemes),
  background: hasScheme(resourceSchemes),
  poster: hasScheme(resourceSchemes),
  action: never,
  formaction: never,
  ping: never,
  attributionsrc: never,
  referrerpolicy: never,
  srcdoc: never,
  // Would take the focus from the editor at every change.
  autofocus: never,
  accesskey: never,
};

/** Names of the attributes that `isSafeAttribute` may refuse, besides event handlers. */
export const restrictedAttributeNames: readonly string[] = Object.keys(attributeTests);

/** Whether an attribute is kept. `name` is in lower case. */
export function isSafeAttribute(name: string, value: string): boolean {
  if (name.startsWith('on')) return false;
  return !Object.hasOwn(attributeTests, name) || attributeTests[name]?.(value) === true;
}

/** The address of a link in a form that may be handed to the system, or nothing: only these three kinds are ever opened. */
export function getOpenableLink(href: string): string | undefined {
  try {
    const url = new URL(href.trim());
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
