import type { Frame } from 'playwright-core';
import type { ToPage } from '../../../src/platform/preview/protocol.ts';
import type { Collector } from '../collector.ts';
import { collectedAt } from './index.ts';
import type { HostileMail } from './model.ts';

/** A frame that runs the preview's page, or a browser page that does. */
type PreviewPage = Pick<Frame, 'evaluate'>;

/** What the preview is given of an email. */
export type Mail = Pick<HostileMail, 'body' | 'stylesheet'>;

/** Returns the email with everything that it fetches fetched from a collector. */
export function atCollector({ body, stylesheet }: Mail, { url }: Collector): Mail {
  return {
    body: collectedAt(body, url),
    ...(stylesheet === undefined ? {} : { stylesheet: collectedAt(stylesheet, url) }),
  };
}

/** Sends an email to the preview's page as the extension would. The result draws it: what takes long is only that. */
export async function prepareMail(
  page: PreviewPage,
  { body, stylesheet = '' }: Mail,
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
    toolbar: { view: 'authored', lens: 'none', grid: false, width: 'full', zoom: '100', scheme: 'light', remote },
  };
  await page.evaluate((data) => void Object.assign(globalThis, { prepared: data }), message);
  return () =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          window.dispatchEvent(
            new MessageEvent('message', { data: (globalThis as unknown as { prepared: ToPage }).prepared }),
          );
          requestAnimationFrame(() => setTimeout(resolve));
        }),
    );
}

/** Has the preview's page show an email. */
export async function showMail(page: PreviewPage, mail: Mail, options: { readonly remote: boolean }): Promise<void> {
  await (
    await prepareMail(page, mail, options)
  )();
}

/** Points at, focuses and presses everything in the email. */
export async function provoke(page: PreviewPage): Promise<void> {
  await page.evaluate(() => {
    const mail = document.querySelector<HTMLIFrameElement>('iframe.mail');
    const inner = mail?.contentDocument;
    const view = mail?.contentWindow as (Window & typeof globalThis) | null;
    if (!inner || !view) throw new Error('There is no email.');
    // While text is selected, a click doesn't move the editor's cursor.
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

/** Waits until the page is idle: by then, an email's requests are on their way. */
export async function idle(page: PreviewPage): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestIdleCallback(() => resolve(), { timeout: 1000 });
      }),
  );
}
