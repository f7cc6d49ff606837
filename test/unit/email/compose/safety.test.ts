import assert from 'node:assert/strict';
import { isBlockedElement, isSafeAttribute, getOpenableLink } from '../../../../src/email/compose/safety.ts';

const attributes = (values: Readonly<Record<string, string>>) => (name: string) => values[name] ?? null;

describe('preview safety', () => {
  const dropped: readonly (readonly [name: string, values: Readonly<Record<string, string>>])[] = [
    ['script', {}],
    ['base', { href: 'https://x.example/' }],
    ['iframe', {}],
    ['object', {}],
    ['embed', {}],
    ['template', {}],
    ['meta', { 'http-equiv': ' Refresh ', content: '0;url=https://x.example' }],
    ['meta', { 'http-equiv': 'Content-Security-Policy' }],
    ['meta', { name: ' Referrer ', content: 'unsafe-url' }],
    ['link', { rel: 'prefetch' }],
    ['link', { rel: 'stylesheet preload' }],
    ['link', { rel: 'dns-prefetch' }],
    ['link', {}],
  ];
  for (const [name, values] of dropped)
    it(`blocks <${name}> ${JSON.stringify(values)}`, () =>
      assert.equal(isBlockedElement(name, attributes(values)), true));

  const allowed: readonly (readonly [name: string, values: Readonly<Record<string, string>>])[] = [
    ['meta', { charset: 'utf-8' }],
    ['meta', { 'http-equiv': 'Content-Type' }],
    ['meta', { name: 'viewport' }],
    ['link', { rel: 'Stylesheet' }],
    ['p', {}],
    ['constructor', {}],
    ['noscript', {}],
    ['form', {}],
  ];
  for (const [name, values] of allowed)
    it(`allows <${name}> ${JSON.stringify(values)}`, () =>
      assert.equal(isBlockedElement(name, attributes(values)), false));

  const refused: readonly (readonly [name: string, value: string])[] = [
    ['href', 'javascript:alert(1)'],
    ['href', ' JaVa\tScript\n:alert(1)'],
    ['href', '\u0001javascript:alert(1)'],
    ['href', 'data:text/html,x'],
    ['href', 'vbscript:x'],
    ['href', 'command:workbench.action.quit'],
    ['href', 'vscode://x'],
    ['href', 'file:///etc/passwd'],
    ['xlink:href', 'javascript:x'],
    ['src', 'javascript:x'],
    ['action', 'https://x.example'],
    ['formaction', '/x'],
    ['ping', 'https://x.example'],
    ['onclick', 'x'],
    ['onfuture', ''],
    ['autofocus', ''],
    ['srcdoc', '<p>'],
  ];
  for (const [name, value] of refused)
    it(`rejects ${name}=${JSON.stringify(value)}`, () => assert.equal(isSafeAttribute(name, value), false));

  const safe: readonly (readonly [name: string, value: string])[] = [
    ['href', 'https://x.example/?a=b:c'],
    ['href', 'mailto:a@x.example'],
    ['href', 'tel:+4912'],
    ['href', '#top'],
    ['href', '{unsubscribe}{/unsubscribe}'],
    ['href', '{{ link:url }}'],
    ['src', 'data:image/png;base64,AAAA'],
    ['src', 'cid:logo'],
    ['src', 'images/a.png'],
    ['style', 'color:red'],
    ['toString', 'x'],
  ];
  for (const [name, value] of safe)
    it(`keeps ${name}=${JSON.stringify(value)}`, () => assert.equal(isSafeAttribute(name, value), true));
});

describe('getOpenableLink', () => {
  const cases: readonly (readonly [href: string, opened: string | undefined])[] = [
    ['https://x.example/a b', 'https://x.example/a%20b'],
    [' http://x.example ', 'http://x.example/'],
    ['mailto:a@x.example', 'mailto:a@x.example'],
    ['javascript:alert(1)', undefined],
    ['file:///etc/passwd', undefined],
    ['command:x', undefined],
    ['vscode:extension/x', undefined],
    ['//x.example', undefined],
    ['{unsubscribe}{/unsubscribe}', undefined],
    ['', undefined],
  ];
  for (const [href, opened] of cases)
    it(`returns ${opened ?? 'undefined'} for ${JSON.stringify(href)}`, () =>
      assert.equal(getOpenableLink(href), opened));
});
