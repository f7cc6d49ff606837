import assert from 'node:assert/strict';
import type { Base } from '../../../../src/features/sourceControl/fields.ts';
import { Lock } from '../../../../src/features/sourceControl/lock.ts';

const hash = (letter: string): string => letter.repeat(43);
const base = (letter: string): Base => ({ body: { local: hash(letter), remote: hash(letter) } });

describe('mailing.lock.json', () => {
  it('separates the bases of a folder by connection', () => {
    const lock = Lock.read(undefined)
      .with('emails/a', 'production', base('p'))
      .with('emails/a', 'staging', base('s'))
      .with('emails/b', 'staging', base('b'));
    const read = Lock.read(lock.toString());
    assert.deepEqual(read.base('emails/a', 'production'), base('p'));
    assert.deepEqual(read.base('emails/a', 'staging'), base('s'));
    const without = read.with('emails/a', 'staging', {});
    assert.deepEqual(without.base('emails/a', 'production'), base('p'));
    assert.deepEqual(without.base('emails/a', 'staging'), {});
    assert.deepEqual(without.base('emails/b', 'staging'), base('b'));
  });

  it('keeps the entries that both versions of a conflict share, with any marker style and line ends', () => {
    const text = Lock.read(undefined)
      .with('emails/a', 'production', { ...base('a'), name: { local: hash('n'), remote: hash('n') } })
      .toString();
    const [ours = ''] = /^.*"body".*$/mu.exec(text) ?? [];
    const common = `||||||| base\n${ours.replaceAll('a', 'c')}\n`;
    for (const section of ['', common]) {
      const conflict = text.replace(
        ours,
        `<<<<<<< HEAD\n${ours}\n${section}=======\n${ours.replaceAll('a', 'b')}\n>>>>>>> theirs`,
      );
      for (const file of [conflict, conflict.replaceAll('\n', '\r\n')]) {
        assert.deepEqual(Object.keys(Lock.read(file).base('emails/a', 'production')), ['name']);
      }
    }
  });

  it('reads many unclosed conflicts quickly', function () {
    this.timeout(5000);
    for (const line of [
      '<<<<<<< HEAD\n',
      '<<<<<<< HEAD\n||||||| base\n',
      '<<<<<<< HEAD\n=======\n',
      '<<<<<<< \n=======\n||||||| \n',
    ]) {
      assert.deepEqual(Lock.read(line.repeat(20_000)).base('emails/a', 'production'), {});
    }
  });

  it('is refused if it is too large', () => {
    assert.throws(() => Lock.read(' '.repeat(9 * 1024 * 1024)), {
      message: "Couldn't read mailing.lock.json: it's larger than 8 MB. Restore an earlier version of it.",
    });
  });

  it('is refused if either version of a conflict has another format version', () => {
    const newer = '{\n  "version": 2,\n  "templates": {}\n}\n';
    const message = `Couldn't read mailing.lock.json: it has version 2, and this version of Mailing Studio reads version 1. Update Mailing Studio and try again.`;
    const conflict = newer.replace(
      /^.*version.*$/mu,
      (line) => `<<<<<<< HEAD\n${line.replace('2', '1')}\n=======\n${line}\n>>>>>>> theirs`,
    );
    for (const text of [newer, conflict, '{"version":2}']) assert.throws(() => Lock.read(text), { message });
    for (const version of ['"1"', 'null', '0', '{}'])
      assert.throws(() => Lock.read(`{"version":${version},"templates":{}}`), /it has version/u);
  });

  it('is empty if it is not a valid lock', () => {
    for (const text of ['', '[]', '{', '{"templates":5}', '5', 'null', '['.repeat(1_000_000)]) {
      assert.equal(Lock.read(text).toString(), Lock.read(undefined).toString());
    }
  });
});
