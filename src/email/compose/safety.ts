/**
 * Makes an email safe to preview. The preview page runs no scripts and loads only what its content security policy allows. The elements
 * and attributes here would act without a script: navigate, embed, submit, take the focus, or send requests.
 */

type ReadAttribute = (name: string) => string | null | undefined;

const always = () => true;

/** `http-equiv` values that affect the preview page. */
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

/** Tests of blocked elements by name: an element is removed if the test of its attributes returns true. */
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
  // Shows nothing, and its content can't be compared with the rendered content.
  template: always,
  // Drawn once for each reference, which may be nested: a drawing of 1 KB can produce billions of shapes.
  use: always,
  pattern: always,
  mask: always,
  marker: always,
  // May have any number of steps over any number of pixels.
  filter: always,
  // A referrer would disclose the URL of the preview page.
  meta: (attribute) =>
    blockedPragmas.has((attribute('http-equiv') ?? '').trim().toLowerCase()) ||
    (attribute('name') ?? '').trim().toLowerCase() === 'referrer',
  // Prefetching and preloading would disclose that the email was opened.
  link: (attribute) => (attribute('rel') ?? '').trim().toLowerCase() !== 'stylesheet',
};

/** Names of the elements that `isBlockedElement` may block. */
export const blockedElementNames: readonly string[] = Object.keys(blockedElementTests);

/** Returns whether an element is removed from the preview. `name` must be lowercase. */
export function isBlockedElement(name: string, attribute: ReadAttribute): boolean {
  return Object.hasOwn(blockedElementTests, name) && blockedElementTests[name]?.(attribute) === true;
}

/** Allowed URL schemes. A URL without a scheme is relative, or a merge tag. */
function hasScheme(allowed: ReadonlySet<string>): (value: string) => boolean {
  return (value) => {
    // Browsers ignore spaces and control characters before and inside a scheme.
    const plain = value.replace(/[\0- ]+/g, '');
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(plain)?.[1]?.toLowerCase();
    return scheme === undefined || allowed.has(scheme);
  };
}

const never = () => false;
const isResource = hasScheme(new Set(['http', 'https', 'mailto', 'tel', 'sms', 'cid', 'data']));

/** Attributes that stay only if their value passes a test. */
const attributeValueTests: Readonly<Record<string, (value: string) => boolean>> = {
  href: hasScheme(new Set(['http', 'https', 'mailto', 'tel', 'sms', 'cid'])),
  'xlink:href': isResource,
  src: isResource,
  background: isResource,
  poster: isResource,
  action: never,
  formaction: never,
  ping: never,
  attributionsrc: never,
  referrerpolicy: never,
  srcdoc: never,
  // Would take the focus from the editor on every change.
  autofocus: never,
  accesskey: never,
};

/** Names of the attributes that `isSafeAttribute` may reject, besides event handlers. */
export const restrictedAttributeNames: readonly string[] = Object.keys(attributeValueTests);

/** Returns whether an attribute stays. `name` must be lowercase. */
export function isSafeAttribute(name: string, value: string): boolean {
  if (name.startsWith('on')) return false;
  return !Object.hasOwn(attributeValueTests, name) || attributeValueTests[name]?.(value) === true;
}

/** Returns the URL of a link that may be opened in the system's browser or mail client; undefined for all other schemes. */
export function getOpenableLink(href: string): string | undefined {
  try {
    const url = new URL(href.trim());
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
