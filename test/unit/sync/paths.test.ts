import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { canonicalName, checkPath, pathProblem } from '../../../src/sync/paths.ts';
import { anyCodePoint, createRunOptions } from '../fuzz/setup.ts';

const reserved = [
  '.git',
  '.gitattributes',
  '.gitignore',
  '.gitmodules',
  '.vscode',
  '.devcontainer',
  '.devcontainer.json',
  'mailing.json',
  'mailing.lock.json',
  'my.code-workspace',
];
/** Letters that some file systems treat as equal to ASCII letters. */
const lookalikes: Readonly<Record<string, string>> = { s: '\u017f', k: '\u212a', i: '\u2170', '.': '\uff0e' };
const ignored = ['\u200b', '\u200c', '\u200d', '\u200e', '\u202e', '\u2060', '\u206a', '\ufeff', '\u00ad', '\ufe0f'];

/** A reserved name in a disguised spelling. */
const disguised = fc
  .tuple(
    fc.constantFrom(...reserved),
    fc.array(fc.tuple(fc.nat(20), fc.constantFrom('upper', 'alike', ...ignored)), { maxLength: 6 }),
    fc.constantFrom('', '.', ' ', '. .', '...'),
  )
  .map(([name, changes, end]) => {
    const letters = [...name];
    for (const [at, change] of changes) {
      const index = at % letters.length;
      const letter = letters[index] ?? '';
      if (change === 'upper') letters[index] = letter.toUpperCase();
      else if (change === 'alike') letters[index] = lookalikes[letter] ?? letter;
      else letters[index] = letter + change;
    }
    return letters.join('') + end;
  });
const segment = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    'a',
    'emails',
    ' ',
    '. .',
    '.. ',
    '...',
    'C:',
    'GIT~1',
    'CON',
    'a\\b',
    '~',
    '\ud800',
    '\0',
    '%2e%2e',
  ),
  disguised,
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: anyCodePoint }),
);
const anyPath = fc.array(segment, { maxLength: 6 }).map((segments) => segments.join('/'));

describe('paths in a mapping', () => {
  it('are below the folder of mailing.json without reserved names, on every system', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        fc.pre(pathProblem(path) === undefined);
        assert.ok(posix.resolve('/root', path).startsWith('/root/'));
        assert.ok(win32.resolve('C:\\root', path).startsWith('C:\\root\\'));
        const names = posix.normalize(path).split('/').map(canonicalName);
        assert.deepEqual(
          names.filter((name) => reserved.some((one) => canonicalName(one) === name)),
          [],
        );
      }),
      createRunOptions(2000),
    );
  });

  it('contain no reserved name in any spelling or position', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', 'a/', './', 'a/../'),
        disguised,
        fc.constantFrom('', '/', '/hooks/pre-commit'),
        (before, name, after) => {
          assert.notEqual(pathProblem(`${before}${name}${after}`), undefined);
        },
      ),
      createRunOptions(1000),
    );
  });

  it('contain no 8.3 name that Windows may resolve to a reserved file', () => {
    const short = ['GIT~1', 'git~1/hooks', 'a/VSCODE~1/x.html', 'MAILIN~1.JSO', 'maili~12.jso', 'GI7EBA~1'];
    for (const path of [...short, 'a/DEVCON~1', '~1', 'GIT~1.', 'GIT~1 ']) {
      assert.match(pathProblem(path) ?? '', /contains a Windows short name, such as "GIT~1"\. Use the full name\.$/u);
    }
    for (const path of ['welcome~1.html', 'a~b', 'spring~2027', 'a/b~'])
      assert.equal(pathProblem(path), undefined, path);
  });

  it('are refused with a reason', () => {
    assert.equal(
      pathProblem('emails/mailing.JSON'),
      '"emails/mailing.JSON" is reserved for Git, VS Code or Mailing Studio. Choose another path.',
    );
    assert.throws(() => checkPath('../a'), {
      message: '"../a" must be a path below the folder of mailing.json, with slashes.',
    });
    assert.match(pathProblem('a/'.repeat(600)) ?? '', /" is longer than 1,024 characters\.$/u);
    for (const path of ['a\\b', 'a\u0000b', '', './']) assert.match(pathProblem(path) ?? '', /must be a path below/u);
    for (const path of ['emails/welcome', './a', 'a/../b', 'a b/ü', '.github/x', '..a'])
      assert.equal(pathProblem(path), undefined);
  });

  it('are refused if they are longer than 1,024 characters, whatever these are', () => {
    for (const path of [' '.repeat(10_000_000), `${'. '.repeat(500)}x`, '\u200b'.repeat(1024)])
      assert.ok(pathProblem(path) !== undefined || path.length <= 1024);
  });
});
