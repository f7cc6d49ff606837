// Measures Mailing: Find in All Templates… with 5,000 templates in VS Code's extension host (run.ts), compared with the bare requests.
import { runInHost } from '../inHost.mjs';
import { median } from '../support.mjs';

export async function measure() {
  /** @type {import('./run.ts').Result[]} */
  const [result] = await runInHost('search');
  if (result === undefined) throw new Error('Nothing was measured.');
  const { times, bare, growth, mostRequestsAtOnce } = result;
  const [time, floor] = [median(times.slice(1)), median(bare.slice(1))];
  return {
    title: 'Find in 5,000 templates (floors: bare requests; the memory for a fifth of the templates; 2 requests)',
    rows: [
      ['a text that is nowhere', time, floor, time / floor, 'ms'],
      ['peak growth of memory in use', growth.none, growth.fifth, growth.none / growth.fifth, 'MB'],
      ['the same with 1,000 emails found', growth.most, null, null, 'MB'],
      ['most requests at once', mostRequestsAtOnce, 2, mostRequestsAtOnce / 2, ''],
    ],
  };
}
