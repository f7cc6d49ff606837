import { Journal } from '../../../../src/sync/requests/journal.ts';
import { sendKind, type SendEntry } from '../../../../src/sync/requests/kinds.ts';
import { StateFiles } from '../../../../src/sync/stateFiles.ts';

/** Races for a send with other processes. */
export interface Race {
  readonly folder: string;
  readonly note: SendEntry;
  readonly replaced?: SendEntry;
}

// Joins each race that the test announces.
process.on('message', ({ folder, note, replaced }: Race) => {
  void new Journal(new StateFiles(folder), sendKind, { now: () => note.asked })
    .acquire(note, replaced)
    .then((isMine) => process.send?.(isMine));
});
process.send?.('ready');
