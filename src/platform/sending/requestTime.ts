import { formatTimestamp } from '../ui/format.ts';

/** When something was told to go out, on the user's clock. `asked`: in ms since the epoch. */
export function formatRequestTime({ asked }: { readonly asked: number }): string {
  return formatTimestamp(asked / 1000) ?? '';
}
