import type { Frame } from 'playwright-core';
import { initialToolbar } from '../../../src/features/preview/model.ts';
import type { ToPage } from '../../../src/features/preview/protocol.ts';
import type { Collector } from '../collector.ts';
import { replaceCollector } from './index.ts';
import type { HostileEmail } from './model.ts';

/** A frame or browser page that runs the preview page. */
type PreviewPage = Pick<Frame, 'evaluate'>;

/** The parts of an email that the preview shows. */
export type PreviewEmail = Pick<HostileEmail, 'body' | 'stylesheet'>;

/** Returns an email whose requests go to a collector. */
export function sendToCollector({ body, stylesheet }: PreviewEmail, { url }: Collector): PreviewEmail {
  return {
    body: replaceCollector(body, url),
    ...(stylesheet === undefined ? {} : { stylesheet: replaceCollector(stylesheet, url) }),
  };
}

/** Sends an email to the preview page as the extension would. The returned function draws it and is the only slow part. */
export async function prepareEmail(
  page: PreviewPage,
  { body, stylesheet = '' }: PreviewEmail,
  { remote }: { readonly remote: boolean },
): Promise<() => Promise<void>> {
  const message: ToPage = {
    type: 'show',
    document: 'mailing://test/templates/1/hostile.html',
    title: 'hostile',
    locked: false,
    body,
    stylesheet,
    envelope: {
      subject: body.slice(0, 5000),
      preheader: body.slice(0, 5000),
      from_name: '',
      from_email: body.slice(0, 300),
    },
    toolbar: { ...initialToolbar, remote },
  };
  await page.evaluate((data) => void Object.assign(globalThis, { prepared: data }), message);
  return () =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          window.dispatchEvent(
            new MessageEvent('message', { data: (globalThis as typeof globalThis & { prepared: ToPage }).prepared }),
          );
          requestAnimationFrame(() => setTimeout(resolve));
        }),
    );
}

/** Shows an email in the preview page. */
export async function showEmail(
  page: PreviewPage,
  mail: PreviewEmail,
  options: { readonly remote: boolean },
): Promise<void> {
  await (
    await prepareEmail(page, mail, options)
  )();
}

/** Hovers, focuses and clicks everything in the email. */
export async function triggerInteractions(page: PreviewPage): Promise<void> {
  await page.evaluate(() => {
    const mail = document.querySelector<HTMLIFrameElement>('iframe.mail');
    const inner = mail?.contentDocument;
    const view = mail?.contentWindow as (Window & typeof globalThis) | null;
    if (!inner || !view) throw new Error('There is no email.');
    // While text is selected, clicks don't move the editor's cursor.
    inner.getSelection()?.selectAllChildren(inner.documentElement);
    const pressed = [
      ...inner.querySelectorAll('a, area, button, input, summary, label, [tabindex], [onclick], math, object, p'),
    ].slice(0, 30);
    for (const element of pressed) {
      if ('focus' in element) (element as HTMLElement).focus();
      for (const name of [
        'pointerover',
        'mouseover',
        'mousemove',
        'pointerdown',
        'mousedown',
        'mouseup',
        'click',
        'auxclick',
        'contextmenu',
        'submit',
        'toggle',
      ]) {
        element.dispatchEvent(new view.MouseEvent(name, { bubbles: true, cancelable: true }));
      }
    }
    for (const form of inner.querySelectorAll('form')) HTMLFormElement.prototype.requestSubmit.call(form);
  });
}

/** Waits until the page is idle and has started the email's requests. */
export async function waitForIdle(page: PreviewPage): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestIdleCallback(() => resolve(), { timeout: 1000 });
      }),
  );
}
