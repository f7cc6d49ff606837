import { Journal, sendEntrySchema, type SendEntry } from '../../../../src/features/sending/journal.ts';

/** Races for a send with other processes. */
export interface Race {
  readonly folder: string;
  readonly note: SendEntry;
  readonly replaced?: SendEntry;
}

// Joins each race that the test announces.
process.on('message', ({ folder, note, replaced }: Race) => {
  void new Journal(folder, sendEntrySchema, { now: () => note.asked })
    .acquire(note, replaced)
    .then((isMine) => process.send?.(isMine));
});
process.send?.('ready');
