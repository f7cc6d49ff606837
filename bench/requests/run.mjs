// Measures the requests of user actions (acts.ts) to a service with 300 ms latency, in VS Code's extension host (run.ts).
import { runInHost } from '../inHost.mjs';
import { median } from '../support.mjs';

export async function measure() {
  /** @type {import('./run.ts').Result[]} */
  const [result] = await runInHost('requests');
  if (result === undefined) throw new Error('Nothing was measured.');
  const { acts, bare } = result;
  return {
    title: 'Requests per user action, with 300 ms latency (floors: the required requests; bare requests in a row)',
    rows: acts.flatMap(({ name, goal, runs }) => {
      const all = (/** @type {'requests' | 'depth' | 'time'} */ of) => median(runs.map((run) => run[of]));
      const [requests, depth, time, floor] = [all('requests'), all('depth'), all('time'), goal.depth * bare];
      if (requests > goal.requests) process.stderr.write(`${name}: ${runs.at(-1)?.operations.join(', ')}\n`);
      return [
        [`${name}: requests`, requests, goal.requests, requests / goal.requests, ''],
        [`${name}: in a row`, depth, goal.depth, depth / goal.depth, ''],
        [`${name}: time`, time, floor, time / floor, 'ms'],
      ];
    }),
  };
}
