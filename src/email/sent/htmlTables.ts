/** The element tables of libxml's HTML 4 parser, which determine its error recovery. */

const splitNames = (text: string): string[] => text.split(' ');

/** Elements without content and end tag. */
export const emptyElements: ReadonlySet<string> = new Set(
  splitNames('area base basefont br col frame hr img input isindex link meta param'),
);

/** Attributes that are serialized without their value. */
export const booleanAttributes: ReadonlySet<string> = new Set(
  splitNames('checked compact declare defer disabled ismap multiple nohref noresize noshade nowrap readonly selected'),
);

/** Elements that imply a `<head>`. */
export const headElements: ReadonlySet<string> = new Set(splitNames('script style meta link title base'));

/** Which start tags close which open elements. */
const closingTagLists: readonly (readonly [open: string, next: string])[] = [
  ['a', 'a fieldset table td th'],
  ['address', 'dd dl dt form li ul'],
  ['b i', 'center p td th'],
  ['big s small strike tt', 'p'],
  ['caption col', 'col colgroup tbody tfoot thead tr'],
  ['colgroup', 'colgroup tbody tfoot thead tr'],
  ['dd', 'dt'],
  ['dir menu', 'dd dl dt form ul'],
  ['dl', 'form li'],
  ['dt', 'dd dl'],
  ['font', 'center td th'],
  ['form hr', 'form'],
  ['h1 h2 h3 h4 h5 h6', 'fieldset form li p table'],
  [
    'head',
    'a abbr acronym address b bdo big blockquote body br center cite code dd dfn dir div dl dt em fieldset font form frameset ' +
      'h1 h2 h3 h4 h5 h6 hr i iframe img kbd li listing map menu ol p pre q s samp small span strike strong sub sup table tt u ul var xmp',
  ],
  ['legend', 'fieldset'],
  ['li', 'li'],
  ['link style title', 'body frameset'],
  ['listing pre xmp', 'dd dl dt fieldset form li table ul'],
  ['ol', 'form ul'],
  ['option', 'optgroup option'],
  [
    'p',
    'address blockquote body caption center col colgroup dd dir div dl dt fieldset form frameset h1 h2 h3 h4 h5 h6 head hr li ' +
      'listing menu ol p pre table tbody td tfoot th title tr ul xmp',
  ],
  ['script', 'noscript'],
  ['span', 'td th'],
  ['tbody thead', 'tbody tfoot'],
  ['td th', 'tbody td tfoot th tr'],
  ['tfoot', 'tbody'],
  ['tr', 'tbody tfoot tr'],
  ['u', 'p td th'],
  ['ul', 'address form menu ol pre'],
];

/** Maps an open element to the start tags that close it. */
export const closedBy: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  closingTagLists.flatMap(([open, next]) => splitNames(open).map((name) => [name, new Set(splitNames(next))] as const)),
);

const endPriorities: Readonly<Record<string, number>> = {
  div: 150,
  td: 160,
  th: 160,
  tr: 170,
  thead: 180,
  tbody: 180,
  tfoot: 180,
  table: 190,
  head: 200,
  body: 200,
  html: 220,
};

/** An end tag only closes elements of the same or a lower priority. */
export function getEndPriority(name: string): number {
  return Object.hasOwn(endPriorities, name) ? (endPriorities[name] ?? 100) : 100;
}
