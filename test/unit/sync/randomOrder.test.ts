import assert from 'node:assert/strict';
import { mergeTexts } from '../../../src/sync/merge/merge.ts';
import { Clone, Service, target } from './fixtures.ts';

/*
 * Two clones, the service's website and Git act in random order. Every edit adds a unique word, so that lost text is detected.
 */

const steps = Number(process.env['MAILING_STUDIO_FUZZ_RUNS'] ?? '1') > 1 ? 2000 : 200;
const seeds = steps > 200 ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [1, 2, 3];

/** Deterministic random numbers from 0 to 1 (mulberry32, public domain). */
function random(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Resolves conflicts by keeping the text of both versions. */
function resolveConflicts(text: string) {
  // A field of the details can have only one value.
  const isJson = text.startsWith('{');
  const conflict = /^<{7} .*\n([\s\S]*?)^={7}\n([\s\S]*?)^>{7} .*(?:\n|$)/gmu;
  return text.replace(conflict, (_, ours: string, theirs: string) => (isJson ? ours : `${ours}${theirs}`));
}

class World {
  readonly service = new Service();
  readonly clones = [new Clone(this.service), new Clone(this.service)] as const;
  readonly words: string[] = [];
  readonly next: () => number;
  /** The files after the last Git merge, which both clones have. */
  #merged = new Map<string, string>();

  constructor(seed: number) {
    this.next = random(seed);
  }

  pick<T>(of: readonly T[]) {
    return of[Math.floor(this.next() * of.length)] as T;
  }

  /** Adds a new word to a text, on its own line or at the end of one. */
  write(text: string) {
    const word = `word${this.words.length}.`;
    this.words.push(word);
    const lines = text.split('\n');
    const at = Math.floor(this.next() * lines.length);
    if (this.next() < 0.5) lines.splice(at, 0, word);
    else lines[at] = `${lines[at] ?? ''} ${word}`;
    return lines.join('\n');
  }

  edit(clone: Clone) {
    // A person resolves conflicts before editing.
    this.resolve(clone);
    clone.edit(this.pick(['body', 'body', 'stylesheet']), (text) => this.write(text));
  }

  editDetails(clone: Clone) {
    const subject = `Subject ${Math.floor(this.next() * 1000)}`;
    clone.edit('subject', (text) => text.replace(/("subject": ").*"/u, `$1${subject}"`));
  }

  website() {
    const field = this.pick(['body', 'stylesheet', 'subject']);
    if (this.service.hasPendingStore) return;
    this.service.texts[field] =
      field === 'subject' ? `Website ${Math.floor(this.next() * 1000)}` : this.write(this.service.texts[field] ?? '');
  }

  async pull(clone: Clone) {
    const pulled = await clone.pull();
    if (pulled.kind === 'unresolved') this.resolve(clone);
  }

  resolve(clone: Clone) {
    for (const [path, text] of clone.disk.files)
      if (!path.endsWith('.lock.json')) clone.disk.files.set(path, resolveConflicts(text));
  }

  /** Pushes and asserts that only fields changed in the folder are stored. */
  async push(clone: Clone) {
    const before = this.service.stored.length;
    const changed = new Map(Object.entries(await clone.getChanges()));
    const pushed = await clone.push().catch((error: Error) => {
      assert.match(String(error), /answer was lost/u);
    });
    for (const { fields } of this.service.stored.slice(before)) {
      for (const field of Object.keys(fields))
        assert.equal(changed.get(field), 'push', `${field} was changed in the folder alone`);
    }
    if (pushed?.kind === 'unresolved') this.resolve(clone);
  }

  /** Pushes without a response. The same clone pulls again before the other one does; the website may change first. */
  async pushAndLose(clone: Clone) {
    this.service.loss = this.pick(['lost', 'lostDone', 'lostLate'] as const);
    await this.push(clone);
    this.service.loss = undefined;
    if (this.next() < 0.5) this.edit(clone);
    if (this.next() < 0.3) clone.restart();
    if (this.next() < 0.5) await this.push(clone);
    this.service.applyPendingStore();
    if (this.next() < 0.5) this.website();
    await this.pull(clone);
    this.resolve(clone);
    await this.push(clone);
  }

  /** Both commit, one merges, and the other pulls the merge. */
  git() {
    const [one, other] = this.clones;
    // Conflicts are resolved before a commit.
    for (const clone of this.clones) this.resolve(clone);
    const paths = new Set([...one.disk.files.keys(), ...other.disk.files.keys()]);
    for (const path of paths) {
      const [ours, theirs] = [one.disk.files.get(path), other.disk.files.get(path)];
      const merged =
        ours === undefined || theirs === undefined
          ? (ours ?? theirs ?? '')
          : mergeTexts({
              base: this.#merged.get(path) ?? '',
              local: ours,
              remote: theirs,
              names: { local: 'HEAD', remote: 'theirs' },
            }).text;
      // The lock is committed with Git's conflict markers.
      const text = path.endsWith('.lock.json') ? merged : resolveConflicts(merged);
      for (const { disk } of this.clones) disk.files.set(path, text);
      this.#merged.set(path, text);
    }
  }

  /** Syncs all clones until nothing differs. */
  async settle() {
    for (let round = 0; round < 6; round += 1) {
      for (const clone of this.clones) {
        await this.pull(clone);
        this.resolve(clone);
        await this.push(clone);
      }
      this.git();
    }
  }
}

describe('two clones, Git and the website in random order', () => {
  for (const seed of seeds) {
    it(`lose no text, store only changed fields and end up equal: seed ${seed}`, async function () {
      this.timeout(600_000);
      const world = new World(seed);
      const [one, other] = world.clones;
      await world.pull(one);
      world.git();
      await world.pull(other);
      for (let step = 0; step < steps; step += 1) {
        const clone = world.pick(world.clones);
        const act = world.pick([
          () => world.edit(clone),
          () => world.edit(clone),
          () => world.editDetails(clone),
          () => world.website(),
          () => world.pull(clone),
          () => world.push(clone),
          () => world.push(clone),
          () => world.pushAndLose(clone),
          () => world.git(),
          () => world.resolve(clone),
          () => clone.restart(),
        ]);
        await act();
      }
      await world.settle();
      for (const clone of world.clones) {
        const { local, remote, changes } = await clone.sync.compare(target);
        assert.deepEqual([...changes], []);
        for (const [field, text] of Object.entries(remote))
          assert.equal(local[field]?.trimEnd(), text.trimEnd(), field);
      }
      const all = Object.values(world.service.texts).join('\n');
      assert.deepEqual(
        world.words.filter((word) => !all.includes(word)),
        [],
      );
      assert.ok(world.words.length > steps / 5 && world.service.stored.length > 5);
    });
  }
});
