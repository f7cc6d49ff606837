/** Replicates the service's text replacements on selectors before parsing. */

/** Pseudo-classes that the service resolves. The text after them isn't checked. */
const resolvablePseudo =
  'empty|(?:first|last|nth(?:-last)?|only)-(?:child|of-type)|not\\([\\x00-\\x28\\x2a-\\x7f]*\\)|root';
const ofType = '(?:first|last|nth(?:-last)?|only)-of-type';
const combinator = '(?:[ \\t\\n\\v\\f\\r]+|[ \\t\\n\\v\\f\\r]*[>+~][ \\t\\n\\v\\f\\r]*)(?=[A-Za-z_\\-.#*:[])';

const unresolvablePattern = new RegExp(`:(?!${resolvablePseudo})[\\w-]`, 'i');
const ofTypePattern = new RegExp(`:(?:${ofType})`, 'i');
const combinatorPattern = new RegExp(combinator);
const combinatorCapturePattern = new RegExp(`(${combinator})`);

const precedences: readonly (readonly [pattern: RegExp, weight: number])[] = [
  [/#\w+/g, 10000],
  [/(?:\.|\[|(?<!:):(?!not\())\w+/g, 100],
  [/(?:(?<![="':\w-])|::)\w+/g, 1],
];

/** Returns the service's weight of a selector: 10000 per id, 100 per class, attribute or pseudo-class, 1 per element or pseudo-element. */
export function computePrecedence(selector: string): number {
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

const lacksTypeSelector = (part: string): boolean => !/^[\w-]/.test(part) && ofTypePattern.test(part);

/** Returns whether a selector depends on the mail client (`:hover`, `::before`) or is unsupported by the service. */
export function dependsOnClient(selector: string): boolean {
  return selector.includes('::') || hasUnresolvablePseudo(selector);
}

function hasUnresolvablePseudo(selector: string): boolean {
  if (unresolvablePattern.test(selector)) return true;
  return ofTypePattern.test(selector) && selector.split(combinatorPattern).some(lacksTypeSelector);
}

/** Removes the dynamic parts of a selector. The rest matches every element that the selector could match. */
export function removeDynamicParts(selector: string): string {
  const negationless = removeDynamicNegations(` ${selector}`).replace(/^[ \t\n\r\0\v]+/, '');
  const plain = removeParts(negationless, `:(?!${resolvablePseudo}):?[\\w-]+(?:\\([^)]*\\))?`);
  if (!ofTypePattern.test(plain)) return plain;
  const removeUntypedParts = (part: string): string =>
    lacksTypeSelector(part) ? removeParts(part, `:(?:${ofType})(?:\\([^)]*\\))?`) : part;
  return plain
    .split(combinatorCapturePattern)
    .filter((part) => part !== '')
    .map(removeUntypedParts)
    .join('');
}

function removeParts(selector: string, pattern: string): string {
  return selector
    .replace(new RegExp(`([ \\t\\n\\v\\f\\r>+~]|^)${pattern}`, 'gi'), '$1*')
    .replace(new RegExp(pattern, 'gi'), '');
}

/** Removes each `:not(…)` with dynamic content. A `*` replaces it after a combinator. */
function removeDynamicNegations(selector: string): string {
  let result = '';
  let from = 0;
  for (const { index } of selector.matchAll(/:not\(/gi)) {
    const end = findClosingParenthesis(selector, index + ':not'.length);
    if (index < from || end < 0) continue;
    if (!hasUnresolvablePseudo(selector.slice(index + ':not'.length, end + 1))) continue;
    const before = selector.slice(from, index);
    result += before + (/[ \t\n\v\f\r>+~]$/.test(before) ? '*' : '');
    from = end + 1;
  }
  return result + selector.slice(from);
}

/** Returns the offset of the matching `)`, or -1. */
function findClosingParenthesis(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && (depth -= 1) === 0) return at;
  }
  return -1;
}
