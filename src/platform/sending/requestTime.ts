import { formatTimestamp } from '../ui/format.ts';

/** Formats the time of a request in the user's time zone. `asked`: ms since the epoch. */
export function formatRequestTime({ asked }: { readonly asked: number }): string {
  return formatTimestamp(asked / 1000) ?? '';
}
