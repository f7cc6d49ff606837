import assert from 'node:assert/strict';
import { ChangedPaths } from '../../../../src/features/sourceControl/changedPaths.ts';

describe('ChangedPaths', () => {
  let seen: string[][];
  let pending: (() => void)[];
  let changes: ChangedPaths;
  beforeEach(() => {
    seen = [];
    pending = [];
    changes = new ChangedPaths(
      (paths) => seen.push([...paths]),
      (task) => {
        pending.push(task);
        return () => {
          pending = pending.filter((other) => other !== task);
        };
      },
    );
  });
  const wait = (): void => {
    for (const task of pending.splice(0)) task();
  };

  it('reports all paths that changed within the debounce time', () => {
    changes.add('mailing.json');
    changes.add('emails/a/body.html');
    assert.equal(pending.length, 1);
    wait();
    assert.deepEqual(seen, [['mailing.json', 'emails/a/body.html']]);
  });

  it('reports each path once and starts over', () => {
    changes.add('mailing.json');
    wait();
    changes.add('emails/a/style.css');
    changes.add('emails/a/style.css');
    wait();
    assert.deepEqual(seen, [['mailing.json'], ['emails/a/style.css']]);
  });

  it('reports nothing after it is disposed', () => {
    changes.add('mailing.json');
    changes.dispose();
    wait();
    assert.deepEqual(seen, []);
  });
});
