import { SendNotes, type SendNote } from '../../../../src/platform/sending/sendNotes.ts';

/** One race for a sending, between processes. */
export interface Race {
  readonly folder: string;
  readonly note: SendNote;
  readonly replaced?: SendNote;
}

// Takes part in each race that the test announces.
process.on('message', ({ folder, note, replaced }: Race) => {
  void new SendNotes(folder, () => note.asked).acquire(note, replaced).then((isMine) => process.send?.(isMine));
});
process.send?.('ready');
