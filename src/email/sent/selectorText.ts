/** What the service makes of a selector before it parses it: by expressions over its text. */

/** Pseudo-classes that the service can resolve. What comes after them isn't looked at. */
const resolvable = 'empty|(?:first|last|nth(?:-last)?|only)-(?:child|of-type)|not\\([\\x00-\\x28\\x2a-\\x7f]*\\)|root';
const ofType = '(?:first|last|nth(?:-last)?|only)-of-type';
const combinator = '(?:[ \\t\\n\\v\\f\\r]+|[ \\t\\n\\v\\f\\r]*[>+~][ \\t\\n\\v\\f\\r]*)(?=[A-Za-z_\\-.#*:[])';

const unresolvablePattern = new RegExp(`:(?!${resolvable})[\\w-]`, 'i');
const ofTypePattern = new RegExp(`:(?:${ofType})`, 'i');
const combinatorPattern = new RegExp(combinator);
const combinatorsKept = new RegExp(`(${combinator})`);

const precedences: readonly (readonly [pattern: RegExp, weight: number])[] = [
  [/#\w+/g, 10000],
  [/(?:\.|\[|(?<!:):(?!not\())\w+/g, 100],
  [/(?:(?<![="':\w-])|::)\w+/g, 1],
];

/** The weight of a selector: 10000 for an id, 100 for a class, an attribute or a pseudo-class, 1 for an element or a pseudo-element. */
export function precedenceOf(selector: string): number {
  let rest = selector;
  let precedence = 0;
  for (const [pattern, weight] of precedences) {
    rest = rest.replace(pattern, () => {
      precedence += weight;
      return '';
    });
  }
  return precedence;
}

const lacksType = (part: string): boolean => !/^[\w-]/.test(part) && ofTypePattern.test(part);

/** Whether a selector depends on something that only a reader's client knows (`:hover`, `::before`), or that the service can't resolve. */
export function isDynamic(selector: string): boolean {
  return selector.includes('::') || hasUnresolvable(selector);
}

function hasUnresolvable(selector: string): boolean {
  if (unresolvablePattern.test(selector)) return true;
  return ofTypePattern.test(selector) && selector.split(combinatorPattern).some(lacksType);
}

/** A selector without what is dynamic in it: it matches what could match. */
export function withoutDynamic(selector: string): string {
  const negationless = withoutNegations(` ${selector}`).replace(/^[ \t\n\r\0\v]+/, '');
  const plain = withoutParts(negationless, `:(?!${resolvable}):?[\\w-]+(?:\\([^)]*\\))?`);
  if (!ofTypePattern.test(plain)) return plain;
  const withoutTypes = (part: string): string =>
    lacksType(part) ? withoutParts(part, `:(?:${ofType})(?:\\([^)]*\\))?`) : part;
  return plain
    .split(combinatorsKept)
    .filter((part) => part !== '')
    .map(withoutTypes)
    .join('');
}

function withoutParts(selector: string, pattern: string): string {
  return selector
    .replace(new RegExp(`([ \\t\\n\\v\\f\\r>+~]|^)${pattern}`, 'gi'), '$1*')
    .replace(new RegExp(pattern, 'gi'), '');
}

/** Without each `:not(…)` that holds something dynamic; a `*` keeps the place after a combinator. */
function withoutNegations(selector: string): string {
  let result = '';
  let from = 0;
  for (const { index } of selector.matchAll(/:not\(/gi)) {
    const end = closingBracket(selector, index + ':not'.length);
    if (index < from || end < 0) continue;
    if (!hasUnresolvable(selector.slice(index + ':not'.length, end + 1))) continue;
    const before = selector.slice(from, index);
    result += before + (/[ \t\n\v\f\r>+~]$/.test(before) ? '*' : '');
    from = end + 1;
  }
  return result + selector.slice(from);
}

/** Where the bracket at an offset closes, or -1. */
function closingBracket(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && (depth -= 1) === 0) return at;
  }
  return -1;
}
