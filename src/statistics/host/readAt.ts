const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** When something was read, on the user's clock: "10:42:31", with the date where that is not today's. */
export function readAtText(at: Date, now: Date = new Date()): string {
  return (at.toDateString() === now.toDateString() ? time : dateAndTime).format(at);
}
