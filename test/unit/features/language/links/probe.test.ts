import assert from 'node:assert/strict';
import http, { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { LookupFunction } from 'node:net';
import { findAddresses } from '../../../../../src/email/checks/addresses.ts';
import { mayContainToken } from '../../../../../src/email/checks/actionLinks.ts';
import { isPrivateAddress, probe, type ProbeOptions } from '../../../../../src/features/language/links/probe.ts';
import { listen } from '../../../../support/listen.ts';

const readLines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

describe('Checked addresses', () => {
  it('are web links and images, without duplicates, tags or links that may unsubscribe', () => {
    const body = `<a href="https://example.com/a">A</a><a href="https://example.com/a">A again</a><img src="http://example.com/a.png">
      <a href="{unsubscribe}{/unsubscribe}">x</a><a href="https://example.com/?id={subscriber:id}">x</a><a href="https://example.com/unsubscribe">x</a>
      <a href="https://example.com/u/1">Unsubscribe</a><a href="https://example.com/%75nsub">x</a><a href="mailto:a@example.com">x</a>
      <a href="/relative">x</a><a href="#top">x</a><img src="data:image/gif;base64,R0"><a href="https://example.com/abmelden">x</a>`;
    const { addresses, skippedCount } = findAddresses(body);
    assert.deepEqual(
      addresses.map(({ url, kind, ranges }) => [url, kind, ranges.length]),
      [
        ['https://example.com/a', 'link', 2],
        ['http://example.com/a.png', 'image', 1],
      ],
    );
    assert.equal(skippedCount, 5);
    assert.deepEqual(findAddresses('<div>'.repeat(20_000)), { addresses: [], skippedCount: 0 });
  });

  it('exclude this computer, its network and cloud services', () => {
    const blocked = readLines(`
      127.0.0.1
      10.1.2.3
      172.16.0.1
      172.31.255.1
      192.168.1.1
      169.254.169.254
      100.64.0.1
      0.0.0.0
      224.0.0.1
      255.255.255.255
      ::1
      ::
      ::ffff:127.0.0.1
      ::ffff:10.0.0.1
      fe80::1
      fc00::1
      fd12::1
      fec0::1
      ff02::1
      64:ff9b::a00:1
      2002:a00:1::
      example.com
      168.63.129.16
      239.255.255.250
      240.0.0.1
      192.0.0.192
      192.0.2.1
      198.18.0.1
      ff05::2
      ff0e::1
      fe80::1%eth0
      ::7f00:1
      ::ffff:168.63.129.16
      ::ffff:0:7f00:1
      64:ff9b:1::7f00:1
      64:ff9b:1:ffff::1
      2001::1
      2001:0:7f00:1::
      2001:db8::1
      100::1
      fd00:ec2::254
      4000::1
      fe80::1%eth-0
      0x5db8d822
      0x7f.1
      127.1
    `);
    for (const address of [...blocked, '']) {
      assert.equal(isPrivateAddress(address), true, address);
    }
    for (const address of ['93.184.216.34', '172.32.0.1', '8.8.8.8', '2606:2800:220:1::1'])
      assert.equal(isPrivateAddress(address), false, address);
  });
});

describe('Links that may act', () => {
  const countSkipped = (html: string) => {
    const { addresses, skippedCount } = findAddresses(html);
    assert.equal(addresses.length + skippedCount, 1, html);
    return skippedCount;
  };

  it('are recognized by words in their text, images, titles and addresses', () => {
    for (const html of [
      '<a href="https://example.com/u">Unsubscribe</a>',
      '<a href="https://example.com/u"><b>Un\u00ADsub</b>scribe</a>',
      '<a href="https://example.com/u">Can\u00ADcel</a>',
      '<a href="https://example.com/u"><span><img src="cid:x" alt="Unsubscribe"></span></a>',
      '<a href="https://example.com/u"><img src="cid:x" title="Unsubscribe"></a>',
      '<a href="https://example.com/u" title="Unsubscribe">x</a>',
      '<a href="https://example.com/u" aria-label="Unsubscribe">x</a>',
      '<map><area href="https://example.com/u" alt="Unsubscribe"></map>',
      '<a href="https://example.com/unsubscribe">x</a>',
      '<a href="https://example.com/%75nsubscribe?x=%E0%A4%A">x</a>',
      '<a href="https://example.com/%2563ancel">x</a>',
      '<a href="https://example.com/%252563ancel">x</a>',
      '<a href="https://example.com/?do=opt+out">x</a>',
      '<a href="https://example.com/UnSubscribe">x</a>',
      '<a href="https://example.com/?do=emailStop">x</a>',
      '<a href="https://example.com/d%E9sinscription">x</a>',
      '<a href="https://example.com/d%C3%A9sinscription">x</a>',
    ])
      assert.equal(countSkipped(html), 1, html);
  });

  it('are recognized in many languages and spellings', () => {
    for (const text of readLines(`
      Leave this list
      STOP
      Cancel my order
      Activate
      Verify your address
      RSVP
      Opt out
      Log out
      Confirm
      Abmelden
      Kündigen
      Bestätigen
      Se désabonner
      Se desinscrire
      Darse de baja
      Cancelar suscripción
      Desuscribirse
      Descadastrar
      Cancelar inscrição
      Sair da lista
      Disiscriviti
      Annulla iscrizione
      Uitschrijven
      Wypisz się
      Zrezygnuj, usuń mnie
      Отписаться
      ОТПИСАТЬСЯ
      Подтвердить
      Відписатися
      Avregistrera
      Avsluta prenumeration
      Bekräfta
      Avmeld
      Peruuta tilaus
      Odhlásit
      Leiratkozás
      Dezabonare
      Abonelikten ayrıl
      Διαγραφή
      إلغاء الاشتراك
      הסרה מרשימת התפוצה
      退订
      取消訂閱
      配信停止
      登録を解除する
      수신거부
      ยกเลิก
      Hủy đăng ký
      Berhenti berlangganan
    `))
      assert.equal(countSkipped(`<a href="https://example.com/u">${text}</a>`), 1, text);
  });

  const phrases: Readonly<Record<string, string>> = {
    'end a subscription': `
      No longer receive these emails
      I no longer want to hear from you
      No more e-mails, please
      Don’t receive these mails
      Do not email me again
      Take me off this list
      Withdraw consent
      Keine E-Mails mehr erhalten
      Ich möchte keine weiteren Angebote erhalten
      Kein Newsletter mehr
      Melden Sie sich hier ab
      Hier klicken, um sich abzumelden
      Bitte tragen Sie mich aus
      Newsletter abbestellen
      Ne plus recevoir nos offres
      Je ne veux plus de vos e-mails
      Vous pouvez vous désinscrire ici
      No deseo recibir más correos
      Dejar de recibir
      Non voglio più ricevere messaggi
      Smetti di ricevere
      Não quero mais receber
      Deixar de receber
      Schrijf me uit
      Schrijf mij uit voor deze nieuwsbrief
      Klik hier om u af te melden
      Meld je af
      Geen e-mails meer ontvangen
      Ik wil deze e-mails niet meer ontvangen
    `,
    'change preferences': `
      Manage your emails
      Update your preferences
      E-Mail-Einstellungen
      Präferenzen ändern
      Gérer mes préférences
      Preferencias de correo
      Gestisci le preferenze
      Preferências
      Voorkeuren aanpassen
    `,
    'vote or rate': `
      Vote yes
      Take the poll
      Start the survey
      Rate us
      How would you rate it?
      ★★★★☆
      👍
      Jetzt abstimmen
      Stimmen Sie für uns ab
      Jetzt bewerten
      Votez maintenant
      Évaluez votre achat
      Répondre au sondage
      Vota ahora
      Valora tu compra
      Responde la encuesta
      Vota ora
      Avalie a sua compra
      Stem nu
      Beoordeel ons
    `,
    answer: `
      Yes
      No!
      Maybe
      No thanks
      I can’t attend
      Count me in
      Accept invitation
      Ja
      Nein, danke
      Zusagen
      Ablehnen
      Ich komme
      Oui
      Je participe
      Accepter l'invitation
      Sí
      No, gracias
      Aceptar
      Sì
      Accetta
      Não
      Aceito
      Nee
      Ik ben aanwezig
    `,
    'confirm or delete': `
      Confirm your address
      Delete my data
      Adresse bestätigen
      Meine Daten löschen
      Je confirme
      Effacer mes données
      Confirmar
      Borrar mis datos
      Conferma
      Cancellami
      Excluir minha conta
      Bevestig je adres
      Verwijder mij
    `,
  };
  for (const [purpose, lines] of Object.entries(phrases))
    it(`are recognized by phrases that ${purpose}, in texts and addresses`, () => {
      for (const text of readLines(lines)) {
        assert.equal(countSkipped(`<a href="https://example.com/u">${text}</a>`), 1, text);
        const slug = encodeURIComponent(text.toLowerCase()).replaceAll('%20', '-');
        const isAnswer = text.split(/\P{L}+/u).filter(Boolean).length < 2 && purpose === 'answer';
        if (!isAnswer && /\p{L}/u.test(text))
          assert.equal(countSkipped(`<a href="https://example.com/do/${slug}">x</a>`), 1, slug);
      }
    });

  it('do not stall the search in large repetitive texts', () => {
    const long = 50_000;
    for (const text of ['no '.repeat(long), `no${' '.repeat(long)}1`, '★'.repeat(long), `no ${'a'.repeat(long)}`])
      assert.equal(countSkipped(`<a href="https://example.com/u">${text} z</a>`), 0);
  });

  it('exclude ordinary links of shops and newsletters', () => {
    for (const text of readLines(`
      Read our newsletter
      Annual report
      Nonstop flights
      Design outdoor furniture
      From our blog. Out now
      Options
      Batalla
      Resilience
      Mehr erfahren
      Datenschutz
      Conditions générales
      Leer más
      最新情報
      Yes, show me the offers
      No. 1 in Germany
      You don't want to miss this
      Take 20% off
      Devoted to coffee
      Interest rates explained
      Corporate news
      Pollen season
      Stem cells
      Keine Angebote mehr verpassen
      Keine Zeit? Mehr Angebote
      Mehr erhalten
      Meldungen aus Berlin
      Ja, ich will sparen
      Recevoir plus d'idées
      L'été vous attend
      Oui, je veux en profiter
      Más ofertas
      No te pierdas nada
      Non perdere le offerte
      Não perca
      Geen verzendkosten
      Uitverkoop
    `))
      assert.equal(countSkipped(`<a href="https://example.com/newsletter/2026/summer-sale">${text}</a>`), 0, text);
    assert.equal(countSkipped('<img src="https://example.com/a.png" alt="Unsubscribe">'), 0, 'A picture does nothing.');
  });

  it('include addresses that may contain a token, but not those made of words', () => {
    for (const path of [
      '/',
      '/blog/summer-sale',
      '/2026/05/12/Angebote/',
      '/img/banner-600x200.png',
      '/%C3%9Cber_uns',
      '/#8f3a9c1d',
    ])
      assert.equal(mayContainToken(`https://example.com${path}`), false, path);
    for (const path of [
      '/a?x=1',
      '/u/8f3a9c',
      '/u/xKqPz',
      '/u/12345',
      '/u/xkqpzjrt',
      '/u/JBSWYYDP',
      '/550e8400-e29b-41d4-a716-446655440000',
      '/%38f3a9c1',
      `/${'word'.repeat(8)}`,
    ])
      assert.equal(mayContainToken(`https://example.com${path}`), true, path);
  });
});

describe('probe', () => {
  let server: Server;
  let port: number;
  let received: IncomingMessage[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const { signal } = new AbortController();
  /** Resolves all names of the test to its server. */
  const lookup: LookupFunction = (_name, options, found) =>
    options.all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4);
  const at = (path: string) => `http://shop.example:${port}${path}`;
  /** Accepts every host, as if the user had selected it. */
  const hosts = { has: () => true } as Pick<ReadonlySet<string>, 'has'>;
  const open: ProbeOptions = { signal, hosts, lookup, isRefused: () => false };

  const answered = (status = 200) => ({ kind: 'answered', status, type: '', bytes: NaN });
  const expectResult = async (path: string, expected: object, options = open) =>
    assert.deepEqual(await probe(at(path), options), expected, path);
  const expectRefusal = async (url: string, options = open) =>
    assert.equal((await probe(url, options)).kind, 'refused', url);
  /** Answers with a status; HEAD requests may get another one. */
  const answerWith = (status: number, headers: Readonly<Record<string, string>> = {}, headStatus = status) => {
    answer = ({ method }, response) => response.writeHead(method === 'HEAD' ? headStatus : status, headers).end();
  };
  /** Redirects all requests but those of one path. */
  const redirectTo = (location: string, except?: string) => {
    answer = ({ url }, response) =>
      response.writeHead(url === except ? 200 : 302, url === except ? {} : { location }).end();
  };
  const expectReceived = (key: 'method' | 'url', ...expected: string[]) =>
    assert.deepEqual(
      received.map((request) => request[key]),
      expected,
    );

  beforeEach(async () => {
    received = [];
    answer = (_request, response) => response.end();
    server = createServer((request, response) => {
      received.push(request);
      answer(request, response);
    });
    port = await listen(server);
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('sends a HEAD request without cookies, referrer or key', async () => {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': 2048, 'set-cookie': 'a=b' }).end();
    await expectResult('/a.png', { kind: 'answered', status: 200, type: 'image/png', bytes: 2048 });
    await probe(at('/a.png'), open);
    expectReceived('method', 'HEAD', 'HEAD');
    for (const { headers } of received)
      assert.deepEqual(Object.keys(headers).toSorted(), ['accept', 'connection', 'host', 'user-agent']);
  });

  it('sends a GET request if HEAD fails', async () => {
    answer = ({ method }, response) => response.writeHead(method === 'HEAD' ? 405 : 200).end('x'.repeat(1000));
    assert.equal((await probe(at('/'), open)).kind, 'answered');
    expectReceived('method', 'HEAD', 'GET');
    answerWith(200, {}, 404);
    await expectResult('/', answered());
    answerWith(404);
    await expectResult('/', answered(404));
  });

  it('never sends GET to an address that may contain a token, directly or after a redirect', async () => {
    answerWith(200, {}, 405);
    for (const path of ['/u/8f3a9c1d', '/?id=1']) await expectRefusal(at(path));
    answer = ({ method, url }, response) => {
      if (url === '/a') response.writeHead(302, { location: '/u/8f3a9c1d' }).end();
      else response.writeHead(method === 'HEAD' ? 405 : 200).end();
    };
    await expectRefusal(at('/a'));
    assert.deepEqual(
      received.filter(({ method }) => method === 'GET').map(({ url }) => url),
      ['/a'],
    );
    answerWith(404);
    await expectResult('/u/8f3a9c1d', answered(404));
  });

  it('follows no redirect to a host that the user did not select', async () => {
    const options = { ...open, hosts: new Set([new URL(at('/')).host]) };
    for (const location of [
      `http://other.example:${port}/b`,
      `//other.example:${port}/b`,
      'http://shop.example/b',
      `https://shop.example:${port + 1}/b`,
    ]) {
      redirectTo(location);
      const probed = await probe(at('/a'), options);
      assert.ok(probed.kind === 'refused' && probed.reason.includes("which you didn't select"), JSON.stringify(probed));
    }
    expectReceived('url', '/a', '/a', '/a', '/a');
    await expectRefusal(`http://other.example:${port}/b`, options);
    redirectTo(at('/b'), '/b');
    await expectResult('/a', answered(), options);
  });

  it('refuses addresses with credentials or another scheme, directly or after a redirect', async () => {
    for (const user of ['ann', ':secret', 'ann:secret']) {
      const withUser = `http://${user}@shop.example:${port}/b`;
      assert.deepEqual(await probe(withUser, open), { kind: 'refused', reason: 'The URL contains a password' }, user);
      redirectTo(withUser);
      await expectResult('/a', { kind: 'refused', reason: 'The URL contains a password' });
    }
    for (const location of ['ftp://shop.example/', 'file:///etc/passwd', 'data:text/plain,x', 'mailto:a@example.com']) {
      redirectTo(location);
      await expectResult('/a', { kind: 'refused', reason: `Redirects to ${new URL(location).protocol}` });
    }
    assert.ok(received.every(({ url }) => url === '/a'));
  });

  it('follows up to five redirects to valid addresses', async () => {
    answer = ({ url = '' }, response) =>
      response.writeHead(url.length < 7 ? 302 : 200, url.length < 7 ? { location: `${url}a` } : {}).end();
    await expectResult('/a', answered());
    assert.equal(received.length, 6);
    received = [];
    await expectResult('/', { kind: 'failed', reason: 'Redirects more than 5 times' });
    assert.equal(received.length, 6);
    for (const [status, headers] of [
      [201, { location: '/b' }],
      [302, {}],
      [304, {}],
      [404, { location: '/b' }],
    ] as const) {
      answerWith(status, headers);
      await expectResult('/a', answered(status));
    }
    redirectTo('http://[');
    await expectResult('/a', {
      kind: 'failed',
      reason: 'Redirects to an invalid URL',
    });
  });

  it('refuses hosts with any private address, and hosts whose addresses change between lookups', async () => {
    const isRefused = (address: string) => address === '10.0.0.1';
    const createLookup = (answers: readonly (readonly string[])[]): LookupFunction => {
      let count = 0;
      return (_name, options, found) => {
        const all = (answers[count] ?? answers.at(-1) ?? []).map((address) => ({ address, family: 4 }));
        count += 1;
        if (options.all) found(null, all);
        else found(null, all[0]?.address ?? '', 4);
      };
    };
    for (const answers of [
      [['127.0.0.1', '10.0.0.1']],
      [['10.0.0.1', '127.0.0.1']],
      [['127.0.0.1'], ['10.0.0.1']],
      [[]],
    ]) {
      const probed = await probe(at('/'), { ...open, isRefused, lookup: createLookup(answers) });
      assert.deepEqual(
        probed,
        { kind: 'refused', reason: 'The host name belongs to this computer or its network' },
        JSON.stringify(answers),
      );
    }
    assert.equal(received.length, 0);
    assert.equal(
      (await probe(at('/'), { ...open, isRefused, lookup: createLookup([['127.0.0.1']]) })).kind,
      'answered',
    );
  });

  it('refuses private names before asking a proxy', async () => {
    const { request } = http;
    const throughProxy = (url: URL, options: http.RequestOptions, answered: (response: IncomingMessage) => void) =>
      request({ ...options, host: '127.0.0.1', port: port, path: url.href, lookup: undefined }, answered);
    Object.assign(http, { request: throughProxy });
    syncBuiltinESMExports();
    try {
      assert.equal((await probe(at('/'), { ...open, isRefused: () => false })).kind, 'answered');
      assert.equal(received.length, 1);
      await expectRefusal(at('/'), { ...open, isRefused: isPrivateAddress });
      assert.equal(received.length, 1);
    } finally {
      Object.assign(http, { request });
      syncBuiltinESMExports();
    }
  });

  it('follows no redirect that may unsubscribe', async () => {
    redirectTo('/unsubscribe?id=1');
    await expectRefusal(at('/a'));
    assert.equal(received.length, 1);
  });

  it('refuses this computer and its network by address, by name and after a redirect', async () => {
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `http://2130706433:${port}/`,
      `http://0x7f.1:${port}/`,
      `http://[::1]:${port}/`,
      `http://[::ffff:7f00:1]:${port}/`,
      'http://169.254.169.254/latest',
    ])
      await expectRefusal(url, { signal, hosts });
    await expectRefusal(at('/'), { signal, hosts, lookup });
    assert.equal(received.length, 0);
    redirectTo('http://10.0.0.1/');
    const isRefused = (address: string) => address !== '127.0.0.1' && isPrivateAddress(address);
    await expectRefusal(at('/'), { signal, hosts, lookup, isRefused });
  });

  it('reports timeouts, and stops when canceled', async () => {
    answer = () => undefined;
    const late = await probe(at('/'), { ...open, timeoutMs: 100 });
    assert.deepEqual(late, { kind: 'failed', reason: 'No response within 0.1 seconds' });
    const controller = new AbortController();
    const running = probe(at('/'), { ...open, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await assert.rejects(running, { name: 'AbortError' });
    server.closeAllConnections();
  });
});
