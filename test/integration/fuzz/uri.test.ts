import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { toBaseName, buildUri, parseUri, buildRootUri } from '../../../src/platform/documents/uri.ts';
import { readMessage, type MessageHandlers } from '../../../src/ui/protocol.ts';
import { fromPage, type FromPage } from '../../../src/features/preview/protocol.ts';
import { WebviewPage } from '../../../src/ui/webview/webview.ts';
import { anyText, anyValue, TIMEOUT_MS, createRunOptions, getMessageTypes } from '../../unit/fuzz/setup.ts';
import { connectService, type TestService } from '../service.ts';
import type { JsonObject } from '../../../src/service/client/shapes.ts';

const suffixes = ['.html', '.css', '.template.json', '.campaign.json', '.follow-up.json'];
const connection = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/);
const collection = fc.constantFrom('templates', 'campaigns', 'follow-ups');
const id = fc.integer({ min: 1, max: 999_999_999_999_999 });
const recordName = fc.oneof(
  anyText,
  fc.constantFrom(
    '..',
    '.',
    '../../6/x',
    '%2e%2e',
    'a/../6',
    'C:\\x',
    '\0',
    'CON',
    '\u202Egpj.exe',
    'a\nb',
    '?x#y',
    '%',
    '%zz',
    '//',
    'x'.repeat(5000),
    '💌'.repeat(100),
  ),
);

/** Fragments of possible and malformed URIs. */
const uriFragments = fc.constantFrom(
  'mailing:',
  '//',
  '/',
  '\\',
  'c',
  'C',
  'templates',
  'Templates',
  'campaigns',
  'follow-ups',
  '5',
  '6',
  '05',
  '+5',
  '-5',
  '5.0',
  '5e0',
  '٥',
  '5%00',
  '5%2F..%2F6',
  '%35',
  '..',
  '.',
  '%2e%2e',
  '%2E',
  'x.html',
  'mails',
  '12.html',
  '?',
  '#',
  '@',
  ':',
  '%',
  '\0',
  '\u202E',
  ' ',
  '[',
  '999999999999999999',
);
const uriText = fc.oneof(
  fc.array(uriFragments, { maxLength: 14 }).map((parts) => parts.join('')),
  fc.array(uriFragments, { maxLength: 10 }).map((parts) => `mailing://c/${parts.join('/')}`),
  anyText.map((text) => `mailing://c/templates/5/${text}`),
);

function tryParseUri(text: string) {
  try {
    return vscode.Uri.parse(text, true);
  } catch {
    return undefined;
  }
}

describe('document URIs', function () {
  this.timeout(TIMEOUT_MS);
  let service: TestService;
  before(async () => {
    service = await connectService();
  });
  after(() => service.end());

  it('round-trip for any record name', () =>
    fc.assert(
      fc.property(
        connection,
        collection,
        id,
        recordName,
        fc.constantFrom(...suffixes),
        (authority, kind, record, name, suffix) => {
          const base = toBaseName(name, `record ${record}`);
          const uri = buildUri(kind, { connection: authority, id: record }, base + suffix);
          const expected = { connection: authority, collection: kind, id: record, file: base + suffix };
          assert.deepEqual(parseUri(uri), expected);
          // As stored by a window and shown in a log.
          assert.deepEqual(parseUri(vscode.Uri.parse(uri.toString(), true)), expected);
          assert.deepEqual(parseUri(vscode.Uri.from(uri.toJSON() as vscode.Uri)), expected);
          assert.deepEqual(parseUri(vscode.Uri.joinPath(uri, '..', base + suffix)), expected);
          assert.deepEqual(parseUri(vscode.Uri.joinPath(uri, '..')), {
            connection: authority,
            collection: kind,
            id: record,
          });
          assert.equal(uri.path.split('/').length, 4);
          assert.doesNotMatch(base, /[/\\:*?"<>|#%\p{Cc}\u202A-\u202E]|^[. ]|[. ]$/u);
          assert.ok(
            base.length > 0 &&
              [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(base)].length <= 61,
          );
        },
      ),
      createRunOptions(1500),
    ));

  it('identify at most one record for any text', () =>
    fc.assert(
      fc.property(uriText, (text) => {
        const uri = tryParseUri(text);
        if (uri === undefined) return;
        const address = parseUri(uri);
        if (address === undefined) return;
        assert.equal(uri.scheme, 'mailing');
        assert.equal(address.connection, uri.authority);
        if (address.id === undefined) return;
        assert.ok(Number.isSafeInteger(address.id) && address.id > 0);
        // The record matches the visible path.
        const segments = uri.path.split('/').filter((segment) => segment !== '');
        assert.deepEqual(segments.slice(0, 2), [address.collection, String(address.id)]);
        const normal = vscode.Uri.joinPath(buildRootUri(address.connection), uri.path.replace(/\/+/g, '/'));
        assert.equal(parseUri(normal)?.id, address.id);
        assert.equal(parseUri(normal)?.collection, address.collection);
      }),
      createRunOptions(2500),
    ));

  it('return the text of their record or a file system error, and request no other record', async () => {
    const { sandbox, connection: authority } = service;
    const text = async (uri: vscode.Uri) => new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    const bodies = new Map<number, string>();
    for (const record of [1, 2, 3]) bodies.set(record, await text(service.uri(`/templates/${record}/x.html`)));
    assert.equal(new Set(bodies.values()).size, 3);
    const tails = fc.oneof(
      fc
        .array(
          fc.constantFrom(
            '1',
            '2',
            '3',
            '..',
            '.',
            '',
            '%2F',
            '\u202E',
            '\0',
            '%00',
            'x.html',
            'templates',
            '1.html',
            '\\..\\2',
            '2;',
            '2?',
            'é',
            'x'.repeat(300),
          ),
          { maxLength: 4 },
        )
        .map((parts) => parts.join('/')),
      anyText.map((part) => `${part.slice(0, 50)}.html`),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(1, 2, 3), tails, async (record, tail) => {
        const from = sandbox.requests.length;
        let uri: vscode.Uri;
        try {
          uri = vscode.Uri.from({ scheme: 'mailing', authority, path: `/templates/${record}/${tail}` });
        } catch {
          return;
        }
        try {
          const read = await text(uri);
          if (uri.path.endsWith('.html')) assert.equal(read, bodies.get(record));
        } catch (error) {
          assert.ok(error instanceof vscode.FileSystemError, String(error));
        }
        for (const request of sandbox.requests.slice(from))
          assert.match(JSON.stringify(request), new RegExp(`"templateId":\\s*"?${record}\\b|templateId=${record}\\b`));
      }),
      createRunOptions(120),
    );
  });
});

describe('webview messages', function () {
  this.timeout(TIMEOUT_MS);

  it('reach the extension only if they match the protocol of the page', () => {
    const posted = new vscode.EventEmitter<unknown>();
    const sent: object[] = [];
    const webview: vscode.Webview = {
      options: {},
      html: '',
      cspSource: 'self',
      onDidReceiveMessage: posted.event,
      asWebviewUri: (uri) => uri,
      postMessage: (message) => {
        sent.push(message);
        return Promise.resolve(true);
      },
    };
    const received: FromPage[] = [];
    const page = new WebviewPage<FromPage, { readonly type: 'x' }>(
      webview,
      vscode.Uri.file('/extension'),
      { page: 'preview', title: 'T', schema: fromPage },
      Object.fromEntries(
        getMessageTypes(fromPage).map((type) => [type, (message: FromPage) => received.push(message)]),
      ) as unknown as MessageHandlers<FromPage>,
    );
    try {
      fc.assert(
        fc.property(
          fc.oneof(
            anyValue,
            anyText.map((type) => ({ type })),
            fc.constantFrom<JsonObject>(
              { type: '__proto__' },
              { type: 'constructor' },
              { type: 'openLink' },
              { type: 'openLink', href: {} },
              { type: 'reveal', part: 'x', offset: 1 },
              { type: 'ready2' },
            ),
          ),
          (value) => {
            received.length = 0;
            posted.fire(value);
            assert.deepEqual(
              received,
              [readMessage(fromPage, value)].filter((message) => message !== undefined),
            );
          },
        ),
        createRunOptions(2000),
      );
      page.post({ type: 'x' });
      assert.deepEqual(sent, []);
      posted.fire({ type: 'ready' });
      page.post({ type: 'x' });
      assert.deepEqual(sent, [{ type: 'x' }]);
    } finally {
      page.dispose();
      posted.dispose();
    }
  });
});
