/** Runs in the browser: applies random edits to an email and compares the result with a fresh rendering. */
import { editInPlace } from '../../../src/features/preview/page/inPlace.ts';
import { ComposedHtml } from '../../../src/features/preview/page/composedHtml.ts';
import { prepareDocument } from '../../../src/features/preview/page/frame.ts';
import { Renderer } from '../../../src/features/preview/page/renderer.ts';
import { SourceIndex } from '../../../src/features/preview/page/sourceIndex.ts';
import { parseSource } from '../../../src/email/html/sourceMap.ts';

const settings = { scheme: 'light', remote: false } as const;
const envelope = { subject: 'S', preheader: 'P & <x>', from_name: '', from_email: '' };

/** Typical input, and input that is difficult to parse. */
const insertions = [
  'a',
  'word ',
  '&',
  '&amp;',
  '&notit;',
  '<',
  '>',
  '"',
  "'",
  '=',
  '\n',
  '\r\n',
  '\0',
  'é',
  '<b>',
  '</b>',
  '<b><i></b></i>',
  '<p>',
  '<br/>',
  '<div class="x">',
  '</div>',
  '<td>',
  '</td>',
  '<tr>',
  '</table>',
  '<a href="javascript:alert(1)">x</a>',
  '<script>1</script>',
  '<img src="https://x.example/a.png">',
  '<!--',
  '-->',
  '<style>',
  '</style>',
  '<body>',
  '</body>',
  '</html>',
  '<head>',
  '<title>',
  '</title>',
  '<select>',
  '<option>',
  '<textarea>',
  '<template>',
  '<svg><path d="x"/></svg>',
  '<input type=hidden>',
  '<frameset>',
  '<meta http-equiv=refresh content=0>',
  ' onclick="x"',
  ' autofocus',
];
const cssScraps = [
  'x',
  '}',
  '{',
  ' ',
  '/*',
  '<',
  '</style>',
  '@media (prefers-color-scheme: dark) { p { color: blue } }',
];

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Returns the HTML of a tree with sorted attributes, because their order has no meaning. */
function canonical(tree: Element) {
  const copy = tree.cloneNode(true) as Element;
  for (const element of [copy, ...copy.querySelectorAll('*')]) {
    const attributes = [...element.attributes].sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const attribute of attributes) element.removeAttributeNode(attribute);
    for (const attribute of attributes) element.setAttributeNode(attribute);
  }
  return copy.outerHTML;
}

/** Returns the first difference between the shown tree and a fresh rendering. */
function difference(renderer: Renderer, body: string, stylesheet: string) {
  const fresh = prepareDocument(new ComposedHtml({ body, stylesheet, envelope }).html, settings).documentElement;
  const shown = renderer.frame?.document.documentElement;
  if (shown?.isEqualNode(fresh)) return undefined;
  const [is, should] = [shown ? canonical(shown) : '', canonical(fresh)];
  let at = 0;
  while (at < is.length && is[at] === should[at]) at += 1;
  return `shown: …${is.slice(Math.max(0, at - 60), at + 60)}… fresh: …${should.slice(Math.max(0, at - 60), at + 60)}…`;
}

/** Applies `count` edits and returns the first difference. */
export function editAtRandom(text: string, seed: number, count: number): string | undefined {
  const below = random(seed);
  const stage = document.createElement('div');
  document.body.replaceChildren(stage);
  const renderer = new Renderer(stage);
  const texts = { body: text, stylesheet: 'p { color: red }' };
  renderer.show({ ...texts, ...settings, envelope });
  for (let n = 0; n <= count; n += 1) {
    const wrong = difference(renderer, texts.body, texts.stylesheet);
    if (wrong) return `seed ${seed}, after ${n} edits: ${wrong}`;
    // Half of the edits have a source index, so that both ways of patching are tested.
    if (below(2) === 0 && renderer.frame) renderer.findSource(renderer.frame.document.body);
    const part = below(10) === 0 ? 'stylesheet' : 'body';
    const old = texts[part];
    let offset = below(old.length + 1);
    // Mostly within a word, like typing.
    const word = below(2) === 0 ? /[a-z]{3}/.exec(old.slice(offset, offset + 500)) : null;
    if (word) offset += word.index + 1;
    const length = below(3) === 0 ? Math.min(below(below(5) === 0 ? 200 : 3), old.length - offset) : 0;
    const choices = part === 'body' ? insertions : cssScraps;
    const inserted = below(2) === 0 ? 'xyz abc'.charAt(below(7)) : (choices[below(choices.length)] ?? '');
    texts[part] = old.slice(0, offset) + inserted + old.slice(offset + length);
    renderer.change({ ...texts, ...settings, envelope }, part, [{ offset, length, text: inserted }]);
  }
  return undefined;
}

/** Returns whether an edit of a document (at `|`) is applied in place, and whether the result equals a fresh rendering. */
export function inPlace(marked: string, inserted: string): { inPlace: boolean; equal: boolean } {
  const offset = marked.indexOf('|');
  const before = marked.replace('|', '');
  const live = prepareDocument(before, settings);
  const done = editInPlace(new SourceIndex(parseSource(before), live), before, {
    start: offset,
    end: offset,
    text: inserted,
  });
  const fresh = prepareDocument(marked.replace('|', inserted), settings);
  return { inPlace: done, equal: live.documentElement.isEqualNode(fresh.documentElement) };
}
