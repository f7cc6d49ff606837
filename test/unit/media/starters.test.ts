import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { check } from '../../../src/email/checks/index.ts';
import { tagLanguage } from '../../../src/email/tags/index.ts';
import { attribute, elementsOf, forOutlook, mendings } from './markup.ts';

interface Starter {
  readonly file: string;
  readonly css?: string;
  readonly drag_editor: string;
  readonly [field: string]: string | undefined;
}

const folder = new URL('../../../media/starters/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
const bytes = (file: string) => Buffer.byteLength(read(file));
const files = readdirSync(folder);
const index = JSON.parse(read('index.json')) as readonly Starter[];

const required = ['file', 'name', 'description', 'subject', 'preheader', 'from_name', 'from_email', 'drag_editor'];
const fields = new Set([...required, 'css', 'reply_to_name', 'reply_to_email']);
const repeated = /<!-- repeat -->\n([^]*?)\s*<!-- \/repeat -->/u;

/** Returns the addresses that an email links to or loads, in attributes and CSS. */
function addresses(html: string, css: string) {
  const elements = elementsOf(html);
  const inAttributes = elements.flatMap((element) =>
    ['href', 'src', 'background', 'action'].flatMap((name) => attribute(element, name) ?? []),
  );
  const styles = [css, ...elements.flatMap((element) => attribute(element, 'style') ?? [])].join('\n');
  return [...inAttributes, ...[...styles.matchAll(/url\(\s*['"]?([^'")]*)/gu)].map(([, address]) => address ?? '')];
}

describe('starters', () => {
  it('are twelve, and match the index', () => {
    assert.ok(index.length >= 12);
    const listed = index.flatMap(({ file, css }) => (css === undefined ? [file] : [file, css]));
    assert.deepEqual([...listed, 'index.json'].sort(), [...files].sort());
  });

  it('have unique names, and include one of the drag-and-drop editor', () => {
    assert.equal(new Set(index.map(({ name }) => name)).size, index.length);
    assert.deepEqual(
      index.filter(({ drag_editor }) => drag_editor === '1').map(({ file }) => file),
      ['drag-and-drop.html'],
    );
  });

  it('stay within 25 KB each and 180 KB together', () => {
    for (const { file } of index) assert.ok(bytes(file) <= 25 * 1024, `${file} has ${bytes(file)} bytes`);
    const total = files.reduce((sum, file) => sum + bytes(file), 0);
    assert.ok(total < 180 * 1024, `together ${total} bytes`);
  });

  it('include remote images, to demonstrate image blocking, and dark mode styles', () => {
    const remote = index.filter(({ file }) => read(file).includes('src="https://images.example.com/'));
    assert.ok(remote.length >= 2 && remote.length < index.length);
    assert.ok(index.some(({ css }) => css !== undefined && read(css).includes('@media (prefers-color-scheme: dark)')));
  });

  for (const starter of index) {
    describe(starter.file, () => {
      const html = read(starter.file);
      const css = starter.css === undefined ? '' : read(starter.css);
      const elements = elementsOf(html);

      it('has all fields of a template', () => {
        for (const field of required) assert.ok(starter[field]?.trim(), `${field} is empty`);
        for (const [field, value] of Object.entries(starter)) {
          assert.ok(fields.has(field), `${field} is no field`);
          assert.equal(typeof value, 'string', field);
        }
        assert.match(starter.drag_editor, /^[01]$/u);
        for (const field of ['from_email', 'reply_to_email'])
          assert.match(starter[field] ?? '', /^$|^[a-z.]+@example\.com$/u);
      });

      it('is well-formed HTML', () => {
        assert.doesNotMatch(html, /<(?:!doctype|html|head|body|style|meta|title)\b/iu);
        assert.deepEqual(mendings(html), []);
        assert.deepEqual(mendings(forOutlook(html)), []);
      });

      it('declares its language and direction', () => {
        const [root] = elements;
        assert.ok(root);
        assert.match(attribute(root, 'lang') ?? '', /^[a-z]{2}$/u);
        assert.equal(attribute(root, 'dir'), attribute(root, 'lang') === 'ar' ? 'rtl' : 'ltr');
      });

      it('has alternative text and dimensions for its images', () => {
        for (const image of elements.filter(({ tagName }) => tagName === 'img')) {
          const [source = '', alt, width, height, style] = ['src', 'alt', 'width', 'height', 'style'].map((name) =>
            attribute(image, name),
          );
          assert.notEqual(alt, undefined, source.slice(0, 80));
          assert.match(`${width} ${height}`, /^\d+ \d+$/u, source.slice(0, 80));
          if (source.startsWith('https:')) assert.match(style ?? '', /background-color:#[\da-f]{6}/u, source);
        }
      });

      it('marks layout tables for screen readers', () => {
        for (const table of elements.filter(({ tagName }) => tagName === 'table')) {
          assert.ok(
            attribute(table, 'role') === 'presentation' || attribute(table, 'aria-label') !== undefined,
            `line ${table.sourceCodeLocation?.startLine}`,
          );
        }
      });

      it('contains no scripts', () => {
        for (const { tagName, attrs } of elements) {
          assert.doesNotMatch(tagName, /^(?:script|iframe|object|embed|form|link)$/u);
          for (const { name } of attrs) assert.doesNotMatch(name, /^on/u);
        }
        assert.doesNotMatch(html + css, /javascript:|expression\(|@import/iu);
      });

      it('links only to example.com over TLS, to anchors and to tags', () => {
        assert.doesNotMatch(html + css, /http:\/\//iu);
        const anchors = new Set(elements.map((element) => `#${attribute(element, 'id')}`));
        for (const address of addresses(html, css)) {
          if (anchors.has(address)) continue;
          const allowed = /^(?:https:\/\/[a-z-]+\.example\.com\/|\{(unsubscribe|readonline)\}\{\/\1\}$)/u;
          assert.match(address, allowed, address.slice(0, 80));
        }
      });

      for (const profile of ['documented', 'acymailing']) {
        it(`has no warnings for the default clients when sent by ${profile}`, () => {
          const { subject = '', preheader = '', from_email: fromEmail = '' } = starter;
          const email = { body: html, stylesheet: css, subject, preheader, fromEmail };
          const findings = check(email, { profile, language: tagLanguage('acymailing') });
          const grave = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
          assert.deepEqual(
            grave.map(({ rule, part, start, message }) => `${rule}, ${part} ${start}: ${message}`),
            [],
          );
        });
      }

      it('has a balanced stylesheet', () => {
        assert.equal(css.match(/\{/gu)?.length, css.match(/\}/gu)?.length);
        assert.doesNotMatch(css, /<\//u);
      });
    });
  }
});

describe('the digest', () => {
  it('grows to 100 KB by repeating its marked rows', () => {
    const html = read('digest.html');
    const rows = repeated.exec(html)?.[1];
    assert.ok(rows);
    assert.ok(elementsOf(`<table>${rows}</table>`).filter(({ tagName }) => tagName === 'img').length > 1);
    const times = Math.ceil((100 * 1024) / Buffer.byteLength(rows));
    const long = html.replace(repeated, () => `${rows}\n`.repeat(times));
    assert.ok(Buffer.byteLength(long) >= 100 * 1024);
    assert.deepEqual(mendings(long), []);
  });
});
