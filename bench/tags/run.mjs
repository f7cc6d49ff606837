// Measures the merge tags of a large email: parsing, rendering for a person, a keystroke in that preview, finding problems, and one
// completion.
import { RenderedText } from '../../src/features/preview/page/renderedText.ts';
import {
  completeTags,
  findTagProblems,
  parseTags,
  renderTags,
  sampleRendering,
  tagLanguage,
} from '../../src/email/tags/index.ts';
import { median } from '../support.mjs';
import { email } from './email.mjs';

const rounds = 60;
/** Budgets in milliseconds. */
const budgets = { render: 5, complete: 10 };

/** @param {() => unknown} work */
function cost(work) {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return median(times);
}

/** The floor column is the budget. */
export function measure() {
  const text = email(177 * 1024);
  const language = tagLanguage('acymailing');
  const to = sampleRendering();
  const both = cost(() => [parseTags(text, language), renderTags(text, language, to)]);
  const rendered = new RenderedText(text, (body) => renderTags(body, language, to));
  const place = text.indexOf('dolor', 90_000);
  const keystroke = cost(() => rendered.change({ offset: place, length: 0, text: 'x' }));
  const problems = cost(() => findTagProblems(text, language, 'body'));
  const typed = `${text.slice(0, 100_000)}{subscriber:${text.slice(100_000)}`;
  const completion = cost(() => completeTags(typed, 100_012, language, { where: 'body', rendering: to }));
  return Promise.resolve({
    title: 'Tags in 177 KB with 200 of them (floor: the budget)',
    rows: [
      ['parsed and rendered for a person', both, budgets.render, both / budgets.render, 'ms'],
      ['a keystroke in the preview as a person', keystroke, null, null, 'ms'],
      ['problems found', problems, null, null, 'ms'],
      ['completed after a colon', completion, budgets.complete, completion / budgets.complete, 'ms'],
    ],
  });
}
