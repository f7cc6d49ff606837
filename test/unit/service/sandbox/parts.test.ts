import assert from 'node:assert/strict';
import { People } from '../../../../src/service/sandbox/people.ts';
import { extractLinks } from '../../../../src/service/sandbox/routes/statistics.ts';
import { readIds, parseQuery } from '../../../../src/service/sandbox/routes/route.ts';
import { parseTime, formatTime } from '../../../../src/service/sandbox/records.ts';
import type { Json } from '../../../../src/service/client/shapes.ts';

describe('sandbox: query', () => {
  it('reads brackets as PHP does', () => {
    const plain = (search: string): Json => JSON.parse(JSON.stringify(parseQuery(search)));
    assert.deepEqual(plain('a=1&b[]=2&b[]=3&c[x]=4&c[y]=&d%5Bz%5D=5'), {
      a: '1',
      b: { 0: '2', 1: '3' },
      c: { x: '4', y: '' },
      d: { z: '5' },
    });
    assert.deepEqual(plain('a=1&a=2'), { a: '2' });
  });
  it('contains no inherited names', () => {
    const query = parseQuery('x=1');
    assert.equal(query['constructor'], undefined);
    assert.equal(Object.getPrototypeOf(Object(parseQuery('__proto__[x]=1')['__proto__'])), null);
    assert.equal(Object({})['x'], undefined);
  });
  it('reads ids tolerantly', () => {
    assert.deepEqual(readIds(parseQuery('l[]=1&l[]=x&l[]=3'), 'l'), [1, 3]);
    assert.deepEqual(readIds(parseQuery('l=1,2'), 'l'), [1, 2]);
  });
});

describe('sandbox: people', () => {
  it('finds users by their unique addresses', () => {
    const people = new People(5000);
    const emails = new Set<string>();
    for (let id = 1; id <= 5000; id += 1) {
      const { email } = people.get(id);
      assert.equal(people.find(email.toUpperCase()), id);
      emails.add(email);
    }
    assert.equal(emails.size, 5000);
  });
  it('finds no users beyond the count', () => {
    const { email } = new People(1000).get(900);
    assert.equal(new People(800).find(email), undefined);
    assert.equal(new People(800).find('missing.5@example.com'), undefined);
  });
});

describe('sandbox: links of a body', () => {
  it('returns distinct web links', () => {
    const body = `<a href="https://a.example/?x=1&amp;y=2">1</a><A class=b HREF='http://b.example/'>2</A><a href="https://a.example/?x=1&amp;y=2">3</a><a href="mailto:a@b.example">4</a><a href="{unsubscribe}{/unsubscribe}">5</a><a>6</a><a href="#top">7</a>`;
    assert.deepEqual(extractLinks(body), ['https://a.example/?x=1&y=2', 'http://b.example/']);
  });
});

describe('sandbox: times', () => {
  it('formats and parses times of the service', () => {
    assert.equal(formatTime(Date.UTC(2026, 0, 2, 3, 4, 5)), '2026-01-02 03:04:05');
    assert.equal(parseTime('2026-01-02 03:04:05'), Date.UTC(2026, 0, 2, 3, 4, 5));
    assert.equal(parseTime('2026-01-02'), Date.UTC(2026, 0, 2));
  });
  it('rejects invalid times', () => {
    for (const text of ['', 'soon', '2026-02-31', '2026-13-01', '2026-01-01 25:00', '01.02.2026'])
      assert.equal(parseTime(text), undefined, text);
  });
});
