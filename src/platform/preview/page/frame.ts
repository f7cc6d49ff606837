/**
 * What an email may load. `remote`: from the outside, too; `root`: address of a folder, whose stylesheets and fonts it may have.
 * Pictures of the folder are put in by this page.
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

/** A folder as a policy can name it: where the first label of its host holds other signs than a policy takes, any label in that place. */
function toPolicySource({ origin, protocol, host, pathname }: URL): string {
  const place = /^[\w.:-]+$/.test(host) ? origin : `${protocol}//*${host.slice(host.indexOf('.'))}`;
  return place + pathname.replace(/[;,"']/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
}

/** The frame an email is shown in, and the document in it. */
export interface MailFrame {
  readonly element: HTMLIFrameElement;
  readonly document: Document;
  readonly window: Window;
}

/**
 * An empty frame with the email's own doctype, which decides between the browser's layout modes. No script runs in it: of its
 * sandbox it has only the origin, for this page to reach in. The policy holds for as long as the document does, also when its
 * element is gone.
 */
export function openFrame(stage: HTMLElement, doctype: string, policy: string): MailFrame {
  const element = document.createElement('iframe');
  element.setAttribute('sandbox', 'allow-same-origin');
  element.className = 'mail';
  element.title = 'Email';
  stage.append(element);
  const inner = element.contentDocument;
  const view = element.contentWindow;
  if (!inner || !view) throw new Error('The preview’s frame could not be opened.');
  inner.open();
  // Names of links are not looked up beforehand, and what is fetched does not tell where from: both would be news to the sender.
  const privacyTags =
    '<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">';
  inner.write(
    `${doctype}<html><head><meta http-equiv="Content-Security-Policy" content="${policy}">${privacyTags}</head><body></body></html>`,
  );
  inner.close();
  // What they say holds without them. Were they left, the email's own ones would be made of them attribute by attribute, and say something
  // else meanwhile.
  for (const meta of inner.querySelectorAll('meta')) meta.remove();
  return { element, document: inner, window: view };
}

/** A document's doctype as text, or nothing. */
export function serializeDoctype(document: Document): string {
  return document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '';
}
