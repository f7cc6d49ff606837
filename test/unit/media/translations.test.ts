import assert from 'node:assert/strict';
import { readJson } from '../../support/manifest.ts';

type Texts = Readonly<Record<string, string>>;
const english = readJson<Texts>('package.nls.json');
/** The keys of texts that are the same word in a language, or a name. */
const sameWords: Readonly<Record<string, readonly string[]>> = {
  de: [],
  fr: ['view.explorer', 'setting.connections.item.profile.acymailing'],
  es: [],
  it: ['setting.connections.item.profile.acymailing'],
};
const names = ['product', 'category'];

/** Returns what a translation must not change: URIs, code, and the names of settings. */
function listFixedParts(text: string) {
  return (text.match(/\(command:[^)]+\)|`[^`\s]+`|https?:\/\/[^\s)]+|\n/gu) ?? []).toSorted();
}

const stripEllipsis = (title: string) => title.replace(/…$/u, '');
const commandKeys = new Map(
  Object.entries(english)
    .filter(([key]) => key.startsWith('command.'))
    .map(([key, title]) => [stripEllipsis(title), key]),
);
/** Commands of VS Code that texts name. */
const vscodeCommands = ['Save with Encoding'];

/** Returns the names of commands and buttons in quotation marks: words that begin with a capital. */
const listQuotedNames = (text: string) =>
  [...text.matchAll(/"(?:Mailing: )?(\p{Lu}\p{L}+(?: [\p{L}-]+)+…?)"/gu)].map(([, name = '']) => name);

/** A text of the code by its key: the text itself, or with a comment. */
type CodeTexts = Readonly<Record<string, string | { readonly message: string }>>;

describe('Translations of the code', () => {
  const bundle = readJson<CodeTexts>('l10n/bundle.l10n.json');
  const messages = Object.entries(bundle).map(
    ([key, text]) => [key, typeof text === 'string' ? text : text.message] as const,
  );
  /** Keys of texts that are the same in a language. */
  const same = readJson<Readonly<Record<string, readonly string[]>>>('l10n/same.json');

  for (const language of Object.keys(sameWords)) {
    describe(language, () => {
      const texts = readJson<Texts>(`l10n/bundle.l10n.${language}.json`);

      it('are complete', () => assert.deepEqual(Object.keys(texts), Object.keys(bundle)));

      it('keep placeholders, code and line breaks', () => {
        const listParts = (text = '') => (text.match(/\{\w+\}|`[^`]+`|https?:\/\/|\n/gu) ?? []).toSorted();
        for (const [key, text] of messages) assert.deepEqual(listParts(texts[key]), listParts(text), key);
      });

      it('call a URL so, because an address is that of an email', () => {
        for (const [key, text] of messages.filter(([, each]) => /\bURLs?\b/u.test(each)))
          assert.match(texts[key] ?? '', /\bURLs?\b/u, text);
      });

      it('name commands and buttons as the interface does', () => {
        const titles = readJson<Texts>(`package.nls.${language}.json`);
        for (const [key, text] of messages)
          for (const name of listQuotedNames(text).filter((each) => !vscodeCommands.includes(each))) {
            const title = titles[commandKeys.get(stripEllipsis(name)) ?? ''] ?? texts[name];
            assert.ok(title, `No command or button has the name "${name}": ${key}`);
            assert.ok(texts[key]?.includes(stripEllipsis(title)), `"${title}" is not in: ${texts[key]}`);
          }
      });

      it('differ from the English texts', () => {
        const hasWords = (text: string) => /\p{L}{2}/u.test(text.replace(/\{\w+\}/gu, ''));
        const unchanged = messages.filter(([key, text]) => texts[key] === text && hasWords(text)).map(([key]) => key);
        assert.deepEqual(unchanged, same[language]);
      });
    });
  }
});

describe('Texts of package.json', () => {
  it('name links as the commands that they run', () => {
    const { commands } = readJson<{ readonly contributes: { readonly commands: readonly Texts[] } }>(
      'package.json',
    ).contributes;
    for (const language of ['', ...Object.keys(sameWords).map((each) => `.${each}`)]) {
      const texts = readJson<Texts>(`package.nls${language}.json`);
      for (const [, name = '', id] of Object.values(texts)
        .join(' ')
        .matchAll(/\[([^\]]+)\]\(command:(mailing\.[\w.]+)/gu)) {
        const title = commands.find(({ command }) => command === id)?.['title'];
        if (title !== undefined) assert.equal(name, stripEllipsis(texts[title.slice(1, -1)] ?? ''), language);
      }
    }
  });
});

describe('Translations of package.json', () => {
  for (const [language, sameKeys] of Object.entries(sameWords)) {
    describe(language, () => {
      const texts = readJson<Texts>(`package.nls.${language}.json`);

      it('are complete', () => assert.deepEqual(Object.keys(texts), Object.keys(english)));

      it('keep commands, code and URLs', () => {
        for (const [key, text] of Object.entries(english))
          assert.deepEqual(listFixedParts(texts[key] ?? ''), listFixedParts(text), key);
      });

      it('quote commands by their translated titles', () => {
        const titles = Object.entries(texts).filter(([key]) => key.startsWith('command.'));
        const quotable = new Set(titles.map(([, title]) => `${texts['category']}: ${stripEllipsis(title)}`));
        for (const [key, text] of Object.entries(texts)) {
          const quoted = text.match(/(?<=\*)Mailing(?:\u00a0|\s)?: [^*]+(?=\*)/gu) ?? [];
          for (const title of quoted) assert.ok(quotable.has(stripEllipsis(title)), `${key}: ${title}`);
        }
      });

      it('differ from the English texts', () => {
        const same = Object.keys(english).filter((key) => texts[key] === english[key] && !names.includes(key));
        assert.deepEqual(same, sameKeys);
      });

      it('keep titles short', () => {
        for (const [key, text] of Object.entries(english)) {
          if (!/^(?:command|submenu|view|editor)\./u.test(key)) continue;
          assert.ok((texts[key]?.length ?? 0) <= Math.max(30, text.length * 1.6), `${key}: ${texts[key]}`);
        }
      });
    });
  }
});
