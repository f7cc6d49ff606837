import assert from 'node:assert/strict';
import { Dispatcher } from 'undici';
import { MailingClient } from '../../../src/service/client/index.ts';
import { ConnectionCore } from '../../../src/platform/connections/core.ts';
import { ApiKeys } from '../../../src/platform/connections/keys.ts';
import { toServiceRef, type Connection } from '../../../src/platform/connections/model.ts';
import type { Json } from '../../../src/service/client/shapes.ts';
import { parseConnections } from '../../../src/platform/connections/settings.ts';
import { MemorySecrets } from '../../support/secrets/memory.ts';

const KEY = 'k3y/Of+The=Shop-0123456789';

/** A network that records the destination and key of each request, and never responds. */
class Network extends Dispatcher {
  readonly sent: { readonly to: string; readonly key: string | undefined; readonly address: string }[] = [];
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    const headers = options.headers as Readonly<Record<string, string>>;
    const address = `${String(options.origin)}${options.path}`;
    this.sent.push({ to: address.replace(/\/index\.php\?.*$/s, ''), key: headers['Api-Key'], address });
    const ignore = (): void => undefined;
    const controller = { aborted: false, paused: false, reason: null, abort: ignore, pause: ignore, resume: ignore };
    handler.onResponseError?.(controller, Object.assign(new Error('nothing there'), { code: 'ECONNREFUSED' }));
    return true;
  }
}

/** A window whose user has stored the key of `shop`. */
class Window extends ConnectionCore {
  readonly secrets = new MemorySecrets();
  readonly network = new Network();
  readonly #keys = new ApiKeys(this.secrets);

  /** Opens a window with the key for an address. */
  static async open(own: string) {
    const window = new Window();
    await new ApiKeys(window.secrets).set('shop', own, KEY);
    return window;
  }

  /** Applies settings and uses each connection in them. Returns the errors and the problems of the settings. */
  async use(settings: Json) {
    const { connections, problems } = parseConnections(settings);
    this.setConnections(connections);
    const outcomes: string[] = problems.map(({ message }) => message);
    const note = (error: Error): void => void outcomes.push(error.message);
    for (const service of connections.map(toServiceRef)) {
      await this.run(service, (client) => client.getLists()).catch(note);
      await this.run(service, (client) => client.sendCampaign(1)).catch(note);
    }
    return outcomes;
  }

  protected override readKey = (id: string, baseUrl: string) => this.#keys.get(id, baseUrl);
  protected override handleChange = () => undefined;
  protected override async openClient({ baseUrl, profile }: Connection, apiKey: () => Promise<string>) {
    return new MailingClient({ baseUrl, apiKey, profile, dispatcher: this.network, wait: () => Promise.resolve() });
  }
}

const shop = (baseUrl: string, more: Readonly<Record<string, Json>> = {}): readonly Json[] => [
  { id: 'shop', name: 'Shop', baseUrl, ...more },
];

/** Spellings of an address: for the same service and path, for another service, and invalid ones. */
interface Spellings {
  readonly own: string;
  readonly same: Readonly<Record<string, string>>;
  readonly other: Readonly<Record<string, string>>;
  readonly refused: Readonly<Record<string, string>>;
}

const table: readonly Spellings[] = [
  {
    own: 'https://mail.example.com/site',
    same: {
      'capitals in the host': 'https://MAIL.Example.COM/site',
      'capitals in the scheme': 'HTTPS://mail.example.com/site',
      'a trailing dot': 'https://mail.example.com./site',
      'two trailing dots': 'https://mail.example.com../site',
      'the default port': 'https://mail.example.com:443/site',
      'the default port, with a zero': 'https://mail.example.com:0443/site',
      'an empty port': 'https://mail.example.com:/site',
      'trailing slashes': 'https://mail.example.com/site//',
      'dot segments': 'https://mail.example.com/x/../site/.',
      'escaped dot segments': 'https://mail.example.com/x/%2E%2e/site',
      'a backslash for a slash': 'https://mail.example.com\\site',
      'full-width letters': 'https://ｍａｉｌ.example.com/site',
      'an ideographic full stop': 'https://mail。example.com/site',
      'a half-width full stop': 'https://mail｡example．com/site',
      'an escaped letter of the host': 'https://%6Dail.example.com/site',
    },
    other: {
      'http for https': 'http://mail.example.com/site',
      'http on the port of https': 'http://mail.example.com:443/site',
      'another port': 'https://mail.example.com:8443/site',
      'the port of http': 'https://mail.example.com:80/site',
      'another path': 'https://mail.example.com/evil',
      'the path in capitals': 'https://mail.example.com/SITE',
      'no path': 'https://mail.example.com',
      'a longer path': 'https://mail.example.com/site/evil',
      'a path that begins alike': 'https://mail.example.com/site2',
      'a path out of the site': 'https://mail.example.com/site/../evil',
      'an escaped letter of the path': 'https://mail.example.com/%73ite',
      'an escaped slash': 'https://mail.example.com/site%2f..',
      'an empty segment': 'https://mail.example.com//site',
      'another host before the path': 'https://mail.example.com//evil.example/site',
      'the host as a beginning': 'https://mail.example.com.evil.example/site',
      'the host as an end': 'https://evil-mail.example.com/site',
      'a host below it': 'https://evil.mail.example.com/site',
      'the host above it': 'https://example.com/site',
      'the host in the path': 'https://evil.example/mail.example.com/site',
      'another host': 'https://evil.example/site',
      'another top-level domain': 'https://mail.example.org/site',
      'a Cyrillic letter': 'https://m\u0430il.example.com/site',
      'punycode of a Cyrillic letter': 'https://xn--mil-5cd.example.com/site',
      'a dotless i': 'https://ma\u0131l.example.com/site',
      'punycode that resembles it': 'https://xn--mail-.example.com/site',
      'an escaped backslash in the path': 'https://evil.example/%5c@mail.example.com/site',
      'a division slash': 'https://mail.example.com\u2044site',
      'a semicolon': 'https://mail.example.com/site;evil',
    },
    refused: {
      'the host as a user name': 'https://mail.example.com@evil.example/site',
      'the host and port as user-info': 'https://mail.example.com:443@evil.example/site',
      'the host and path as user-info': 'https://mail.example.com%2Fsite@evil.example',
      'a user name at the own host': 'https://ann@mail.example.com/site',
      'a password at the own host': 'https://:x@mail.example.com/site',
      'empty user-info': 'https://@mail.example.com/site',
      'two at signs': 'https://mail.example.com@@evil.example/site',
      'a backslash before a user name': 'https://mail.example.com\\@evil.example/site',
      'a user name behind a backslash': 'https://evil.example\\@mail.example.com/site',
      'a fragment': 'https://evil.example#@mail.example.com/site',
      'a query': 'https://evil.example?@mail.example.com/site',
      'a query at the own address': 'https://mail.example.com/site?to=evil',
      'a tab in the host': 'https://mail.exa\tmple.com/site',
      'a line break in the host': 'https://mail.example\n.com/site',
      'a tab in the scheme': 'ht\ttps://mail.example.com/site',
      'a space': ' https://mail.example.com/site',
      'a tab behind': 'https://mail.example.com/site\t',
      'a soft hyphen': 'https://ma\u00ADil.example.com/site',
      'a zero-width joiner': 'https://ma\u200Dil.example.com/site',
      'a character that turns the direction': 'https://\u202Emoc.elpmaxe.liam/site',
      'a NUL': 'https://mail.example.com\0.evil.example/site',
      'no slashes': 'https:mail.example.com/site',
      'three slashes': 'https:///mail.example.com/site',
      'backslashes for slashes': 'https:\\\\mail.example.com/site',
      'no scheme': '//mail.example.com/site',
      'another scheme': 'ftp://mail.example.com/site',
      'a blob': 'blob:https://mail.example.com/site',
      'an escaped slash in the host': 'https://mail.example.com%2f.evil.example/site',
      'an escaped at sign in the host': 'https://mail.example.com%40evil.example/site',
      'an escaped NUL in the host': 'https://mail.example.com%00.evil.example/site',
      'a port that is none': 'https://mail.example.com:443x/site',
      'a port that is too large': 'https://mail.example.com:65979/site',
      'a port with a sign': 'https://mail.example.com:+443/site',
      'a full-width at sign': 'https://mail.example.com＠evil.example/site',
      nothing: '',
    },
  },
  {
    own: 'http://127.0.0.1:8080',
    same: {
      hexadecimal: 'http://0x7f.0.0.1:8080',
      'one hexadecimal number': 'http://0x7F000001:8080',
      octal: 'http://0177.0.0.01:8080',
      'one number': 'http://2130706433:8080',
      'two parts': 'http://127.1:8080',
      'a trailing dot': 'http://127.0.0.1.:8080',
      'hexadecimal with a trailing dot': 'http://0x7f.1.:8080',
      'full-width digits': 'http://１２７.０.０.１:8080',
      'escaped digits': 'http://%31%32%37.0.0.1:8080',
      'a slash': 'http://127.0.0.1:8080/',
      'a zero before the port': 'http://127.0.0.1:08080',
    },
    other: {
      'its name': 'http://localhost:8080',
      'its name with a dot': 'http://localhost.:8080',
      IPv6: 'http://[::1]:8080',
      'IPv4 in IPv6': 'http://[::ffff:127.0.0.1]:8080',
      'its neighbor': 'http://127.0.0.2:8080',
      'any address': 'http://0.0.0.0:8080',
      'another port': 'http://127.0.0.1:8081',
      'the default port': 'http://127.0.0.1',
      https: 'https://127.0.0.1:8080',
      'a host that begins alike': 'http://127.0.0.1.evil.example:8080',
      'a number that is another address': 'http://2130706434:8080',
      'a port in the path': 'http://127.0.0.1/:8080',
    },
    refused: {
      'an address and port as user-info': 'http://127.0.0.1:8080@evil.example',
      'five parts': 'http://127.0.0.0.1:8080',
      'a part that is too large': 'http://127.0.0.256:8080',
      'a number that is too large': 'http://6425673729:8080',
      'a zone': 'http://[::1%25eth0]:8080',
      'full-width digits in the port': 'http://127.0.0.1:８０８０',
      'two ports': 'http://127.0.0.1:8080:8080',
    },
  },
  {
    own: 'https://[2001:db8::1]/site',
    same: {
      'all its parts': 'https://[2001:0db8:0000:0000:0000:0000:0000:0001]/site',
      capitals: 'https://[2001:DB8::1]/site',
      'zeros shortened elsewhere': 'https://[2001:db8:0:0::1]/site',
      'its end as IPv4': 'https://[2001:db8::0.0.0.1]/site',
      'the default port': 'https://[2001:db8::1]:443/site',
    },
    other: {
      'its neighbor': 'https://[2001:db8::2]/site',
      'the same digits elsewhere': 'https://[2001:db8:1::]/site',
      'another port': 'https://[2001:db8::1]:8443/site',
      'a name of its digits': 'https://2001-db8--1.evil.example/site',
    },
    refused: {
      'no brackets': 'https://2001:db8::1/site',
      'a zone': 'https://[2001:db8::1%eth0]/site',
      'something behind the bracket': 'https://[2001:db8::1]evil.example/site',
      'user-info': 'https://[2001:db8::1]@evil.example/site',
    },
  },
  {
    own: 'https://bücher.example/café',
    same: {
      punycode: 'https://xn--bcher-kva.example/café',
      'punycode in capitals': 'https://XN--BCHER-KVA.example/caf%c3%a9',
      capitals: 'https://BÜCHER.example/caf%C3%A9',
      'two signs for one': 'https://bu\u0308cher.example/café',
    },
    other: {
      'no umlaut': 'https://bucher.example/café',
      'its other spelling': 'https://buecher.example/café',
      'two signs for one, in the path': 'https://bücher.example/cafe\u0301',
      'another host below': 'https://xn--bcher-kva.evil.example/café',
      'another letter': 'https://xn--bcher-lva.example/café',
    },
    refused: { 'broken punycode': 'https://xn--bcher-kv\u00E4.example/café' },
  },
];

describe('A workspace that redefines the address of a connection', () => {
  for (const { own, same, other, refused } of table) {
    for (const [trick, address] of Object.entries(same)) {
      it(`${own}: ${trick} is the same service and keeps its key`, async () => {
        const window = await Window.open(own);
        await window.use(shop(address));
        const { sent } = window.network;
        assert.ok(sent.length > 0);
        const [normal] = parseConnections(shop(own)).connections;
        for (const { to, key, address: requested } of sent) {
          assert.deepEqual([to, key], [normal?.baseUrl, KEY]);
          assert.ok(!requested.includes('k3y'));
        }
      });
    }
    for (const [trick, address] of Object.entries(other)) {
      it(`${own}: ${trick} is another service and gets no key`, async () => {
        const window = await Window.open(own);
        const outcomes = await window.use(shop(address));
        assert.deepEqual([window.network.sent, outcomes.length], [[], 2]);
        for (const message of outcomes) assert.match(message, /No API key is stored for "Shop"/);
        assert.equal(window.state('shop').kind, 'keyMissing');
      });
    }
    for (const [trick, address] of Object.entries(refused)) {
      it(`${own}: ${trick} is refused`, async () => {
        const window = await Window.open(own);
        const outcomes = await window.use(shop(address));
        assert.deepEqual([window.network.sent, window.all, outcomes.length], [[], [], 1]);
        assert.match(outcomes[0] ?? '', /"baseUrl"/);
      });
    }
  }

  const own = 'https://mail.example.com/site';
  const evil = 'https://evil.example/site';
  let window: Window;
  beforeEach(async () => {
    window = await Window.open(own);
  });
  const assertOnlyOwn = () => {
    for (const { to, key } of window.network.sent) assert.deepEqual([to, key], [own, KEY]);
  };

  const settings: Readonly<Record<string, Json>> = {
    'two entries of one id, the other address first': [...shop(evil), ...shop(own)],
    'another id at the own address': [{ id: 'other', name: 'Shop', baseUrl: own }],
    'an id in capitals': shop(evil, { id: 'SHOP' }),
    'an id with a space': shop(evil, { id: 'shop ' }),
    'an id with an address': shop(evil, { id: 'shop@https://mail.example.com/site' }),
    'an id of many': shop(evil, { id: ['shop'] }),
    'an address of many': shop(own, { baseUrl: [own, evil] }),
    'an address that is an object': shop(own, { baseUrl: { toString: own } }),
    'the prototype': [{ id: 'shop', name: 'Shop', baseUrl: evil, __proto__: { baseUrl: own } }],
    'fields of its own': shop(evil, { apiKey: 'x', key: own, url: own, sandbox: true, proxy: own }),
    'the profile of an object': shop(own, { profile: { name: 'documented', constants: { page: evil } } }),
    'an entry in a list of lists': [shop(own)],
  };
  for (const [trick, value] of Object.entries(settings)) {
    it(`sends no key for ${trick}`, async () => {
      await window.use(value);
      assert.deepEqual(window.network.sent, []);
    });
  }

  for (const [what, value] of Object.entries({
    'the first of two entries with one id': [...shop(own), ...shop(evil)],
    'another profile of the same address': shop(own, { profile: 'acymailing' }),
  })) {
    it(`keeps the key for ${what}`, async () => {
      await window.use(value);
      assert.ok(window.network.sent.length > 0);
      assertOnlyOwn();
    });
  }

  for (const when of ['while the key is being read', 'while the client is in use']) {
    it(`gets no key ${when}`, async () => {
      const define = (baseUrl: string) => window.setConnections(parseConnections(shop(baseUrl)).connections);
      const read = async () =>
        window.run(window.getService('shop'), (client) => client.getLists()).catch(() => undefined);
      const { promise: opened, resolve: open } = Promise.withResolvers<void>();
      define(own);
      if (when.includes('key')) window.secrets.gate = opened;
      const operation = window
        .run(window.getService('shop'), (client) => opened.then(() => client.getLists()))
        .catch(() => undefined);
      await new Promise(setImmediate);
      define(evil);
      open();
      await operation;
      assertOnlyOwn();
      await read();
      assertOnlyOwn();
      assert.equal(window.state('shop').kind, 'keyMissing');
      // With its original address, it works again.
      define(own);
      const before = window.network.sent.length;
      await read();
      assert.ok(window.network.sent.length > before);
    });
  }
});
