// Measures formatting the emails of the corpus: CPU time, and the size of the sent email.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'parse5';
import { formatEmail } from '../../src/email/format/index.ts';
import { composeSent } from '../../src/email/sent/index.ts';

const corpus = new URL('../../../shared/corpus/', import.meta.url);
const ROUNDS = 12;
/** Times of parse5. */
const MAX_PASSES = 20;

/** Least CPU milliseconds of several rounds. @param {() => unknown} run */
function measureTime(run) {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

export function measure() {
  const names = existsSync(corpus) ? readdirSync(corpus).filter((name) => name.endsWith('.html')) : [];
  /** @type {import('../run.mjs').Row[]} */
  const rows = names.flatMap((name) => {
    const body = readFileSync(new URL(name, corpus), 'utf8');
    const options = { profile: /** @type {const} */ ('acymailing') };
    const formatted = formatEmail(body, options);
    const [before, after] = [body, 'text' in formatted ? formatted.text : body].map(
      (text) => composeSent({ body: text }, options).bytes,
    );
    const time = measureTime(() => formatEmail(body, options));
    const floor = MAX_PASSES * measureTime(() => parse(body));
    return [
      [`${name}: time`, time, floor, time / floor, 'ms'],
      [`${name}: as sent`, after, before, after / before, 'bytes'],
    ];
  });
  return { title: `Formatting (floors: ${MAX_PASSES} times parse5; the size before)`, rows };
}
