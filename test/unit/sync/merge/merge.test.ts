import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeTexts, hasMarks } from '../../../../src/sync/merge/merge.ts';

const names = { local: 'this folder', remote: 'Production' };
const merge = (base: string | undefined, local: string, remote: string) => mergeTexts({ base, local, remote, names });
const merged = (text: string) => ({ text, hasConflict: false, isTooLarge: false });
const runs = 300 * Number(process.env['MAILING_STUDIO_FUZZ_RUNS'] ?? '1');
const check = <T>(property: fc.IProperty<T>) => fc.assert(property, { numRuns: runs });

/** Lines as templates have them: few different ones, many of them repeated. */
const line = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', '<tr>', '</tr>', '  <td>') },
  fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', '<', '=', ' ') }),
);
const lines = fc.array(line, { maxLength: 30 });
const text = lines.map((some) => some.join('\n'));

/** Both versions of a merged text: with the local and with the remote side of each conflict. */
function sidesOf(conflicted: string) {
  const sides: Record<'local' | 'remote', string[]> = { local: [], remote: [] };
  let side: 'both' | 'local' | 'remote' = 'both';
  for (const one of conflicted.split('\n')) {
    if (one === '<<<<<<< this folder') side = 'local';
    else if (one === '=======' && side === 'local') side = 'remote';
    else if (one === '>>>>>>> Production') side = 'both';
    else for (const name of ['local', 'remote'] as const) if (side === 'both' || side === name) sides[name].push(one);
  }
  return { local: sides.local.join('\n'), remote: sides.remote.join('\n') };
}

describe('Merging texts', () => {
  it('returns the side that changed if only one did, and the text of both if they are equal', () => {
    check(
      fc.property(text, text, (base, changed) => {
        assert.deepEqual(merge(base, changed, base), merged(changed));
        assert.deepEqual(merge(base, base, changed), merged(changed));
        assert.deepEqual(merge(base, changed, changed), merged(changed));
        assert.deepEqual(merge(undefined, changed, changed), merged(changed));
      }),
    );
  });

  it('applies the changes of both sides if an unchanged line is between them', () => {
    check(
      fc.property(lines, lines, lines, lines, (before, ours, after, theirs) => {
        const [base, local] = [
          [...before, 'between', ...after],
          [...ours, 'between', ...after],
        ].map((some) => some.join('\n'));
        const remote = [...before, 'between', ...theirs].join('\n');
        assert.deepEqual(merge(base, local ?? '', remote), merged([...ours, 'between', ...theirs].join('\n')));
      }),
    );
  });

  it('loses no line that a side has added, and keeps both versions of each conflict', () => {
    check(
      fc.property(text, text, text, (base, local, remote) => {
        const { text: result, hasConflict } = merge(base, local, remote);
        const [common, resultLines] = [new Set(base.split('\n')), new Set(result.split('\n'))];
        for (const added of [...local.split('\n'), ...remote.split('\n')])
          assert.ok(common.has(added) || resultLines.has(added), JSON.stringify(added));
        assert.equal(hasConflict, hasMarks(result));
      }),
    );
  });

  it('contains both texts in full without a base', () => {
    check(
      fc.property(text, text, (local, remote) =>
        assert.deepEqual(sidesOf(merge(undefined, local, remote).text), { local, remote }),
      ),
    );
  });

  it('ignores line ends and a byte order mark, and writes the line ends of the local text', () => {
    assert.deepEqual(
      merge('one\ntwo\nthree', 'ONE\r\ntwo\r\nthree', '\uFEFFone\rtwo\rTHREE'),
      merged('ONE\r\ntwo\r\nTHREE'),
    );
    assert.deepEqual(
      merge('one', 'mine\r\n', 'theirs').text,
      '<<<<<<< this folder\r\nmine\r\n\r\n=======\r\ntheirs\r\n>>>>>>> Production',
    );
  });

  it('makes the whole text one conflict if the sides are too large or too different', () => {
    const reversed = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
    const base = reversed.toReversed().join('\n');
    const large = 'x\n'.repeat(1_100_000);
    for (const [before, local, remote] of [
      [base, reversed.join('\n'), `${base}\nmore`],
      [large, `${large}mine`, `${large}theirs`],
    ] as const) {
      assert.deepEqual(merge(before, local, remote), {
        text: `<<<<<<< this folder\n${local}\n=======\n${remote}\n>>>>>>> Production`,
        hasConflict: true,
        isTooLarge: true,
      });
    }
    assert.deepEqual(merge(large, `${large}mine`, large), merged(`${large}mine`));
  });
});
