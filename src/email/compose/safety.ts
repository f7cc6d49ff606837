/**
 * Makes an email safe to preview. The preview page runs no scripts and loads only what its content security policy allows. The elements
 * and attributes here would act without a script: navigate, embed, submit, take the focus, or send requests.
 */

type ReadAttribute = (name: string) => string | null | undefined;

/** `http-equiv` values that affect the preview page. */
const blockedPragmas = new Set(
  (
    'refresh content-security-policy content-security-policy-report-only set-cookie default-style x-dns-prefetch-control ' +
    'accept-ch delegate-ch origin-trial'
  ).split(' '),
);

/**
 * Elements that are removed. A `template` shows nothing, and its content can't be compared with the rendered content. `use`, `pattern`,
 * `mask` and `marker` are drawn once for each reference, which may be nested: a drawing of 1 KB can produce billions of shapes. A `filter`
 * may have any number of steps over any number of pixels.
 */
const blockedElements = new Set(
  'script base object embed applet iframe frame portal fencedframe template use pattern mask marker filter'.split(' '),
);

/** Names of the elements that `isBlockedElement` may block. */
export const blockedElementNames: readonly string[] = [...blockedElements, 'meta', 'link'];

/** Returns whether an element is removed from the preview. `name` must be lowercase. */
export function isBlockedElement(name: string, attribute: ReadAttribute): boolean {
  const read = (attributeName: string) => (attribute(attributeName) ?? '').trim().toLowerCase();
  // A referrer would disclose the URL of the preview page.
  if (name === 'meta') return blockedPragmas.has(read('http-equiv')) || read('name') === 'referrer';
  // Prefetching and preloading would disclose that the email was opened.
  if (name === 'link') return read('rel') !== 'stylesheet';
  return blockedElements.has(name);
}

/** Returns whether the scheme of a URL is allowed. A URL without a scheme is relative, or a merge tag. */
export function hasAllowedScheme(value: string, allowed: readonly string[]) {
  // Browsers ignore spaces and control characters before and inside a scheme.
  const plain = value.replace(/[\0- ]+/g, '');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(plain)?.[1]?.toLowerCase();
  return scheme === undefined || allowed.includes(scheme);
}

const linkSchemes = ['http', 'https', 'mailto', 'tel', 'sms', 'cid'];

const resourceAttributes = new Set(['xlink:href', 'src', 'background', 'poster']);
/** Attributes that are removed. `autofocus` would take the focus from the editor on every change. */
const blockedAttributes = new Set(
  'action formaction ping attributionsrc referrerpolicy srcdoc autofocus accesskey'.split(' '),
);

/** Names of the attributes that `isSafeAttribute` may reject, besides event handlers. */
export const restrictedAttributeNames: readonly string[] = ['href', ...resourceAttributes, ...blockedAttributes];

/** Returns whether an attribute stays. `name` must be lowercase. */
export function isSafeAttribute(name: string, value: string): boolean {
  if (name.startsWith('on') || blockedAttributes.has(name)) return false;
  if (name === 'href') return hasAllowedScheme(value, linkSchemes);
  return !resourceAttributes.has(name) || hasAllowedScheme(value, [...linkSchemes, 'data']);
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
