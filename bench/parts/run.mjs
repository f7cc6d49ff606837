// Measures updating the linked parts of 500 templates: CPU time.
import { applyParts } from '../../src/sync/parts/index.ts';

const TEMPLATES = 500;
const BUDGET_MS = 1000;
const ROUNDS = 5;

const row = (/** @type {string} */ text) =>
  `<tr><td style="padding: 12px; font-family: Arial, sans-serif; font-size: 16px; color: #333333">${text}</td></tr>\n`;
const slot = (/** @type {string} */ name, /** @type {string} */ text) => `<!-- slot: ${name} -->${text}<!-- /slot -->`;
const use = (/** @type {string} */ name, /** @type {string} */ text = '') =>
  `<!-- part: ${name} -->${text}<!-- /part -->`;

/** About 20 KB with a layout and three parts. @param {string} address */
const createParts = (address) => ({
  header: row('<a href="https://www.example.com/"><img src="https://www.example.com/logo.png" alt="Shop"></a>').repeat(
    2,
  ),
  legal: row('All prices include VAT.').repeat(5),
  footer: row(slot('reason', 'You ordered from us.')) + row(address) + use('legal'),
  layout: `<!doctype html>\n<html><head><style>${'td { padding: 12px } '.repeat(100)}</style></head><body><table>
${use('header')}${slot('content', '')}${use('footer')}</table></body></html>\n`,
});

export function measure() {
  const texts = Array.from({ length: TEMPLATES }, (_, index) => {
    const content = `<!-- slot: content -->${row(`Text ${index} for {subscriber:name}`).repeat(100)}<!-- /slot -->`;
    return applyParts(use('layout', content), createParts('1 Main Street')).text;
  });
  const parts = createParts('2 New Street');
  const times = Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage();
    for (const text of texts) applyParts(text, parts);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  const time = Math.min(...times);
  /** @type {import('../run.mjs').Row[]} */
  const rows = [
    [
      `${TEMPLATES} templates of ${Math.round((texts[0] ?? '').length / 1000)} KB`,
      time,
      BUDGET_MS,
      time / BUDGET_MS,
      'ms',
    ],
  ];
  return { title: 'Updating linked parts (floor: the budget)', rows };
}
