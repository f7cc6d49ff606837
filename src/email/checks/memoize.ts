import type { BodyElement } from './document.ts';
import type { ParsedEmail } from './parsedEmail.ts';

/** Returns a function that computes the result for each object once. */
export function memoize<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, Result>();
  return (key) => {
    const stored = results.get(key);
    if (stored !== undefined) return stored;
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}

/** Returns a function that reads a value from an element or its nearest ancestor with one. Reads each element once. */
export function inherit<Value>(
  readOwn: (mail: ParsedEmail, element: BodyElement) => Value | undefined,
): (mail: ParsedEmail, element: BodyElement) => Value | undefined {
  const getValues = memoize((_mail: ParsedEmail) => new Map<BodyElement, Value | 'none'>());
  return (mail, element) => {
    const values = getValues(mail);
    let value = values.get(element);
    if (value === undefined) {
      const visited: BodyElement[] = [];
      for (let current: BodyElement | undefined = element; current && value === undefined; current = current.parent) {
        visited.push(current);
        value = values.get(current) ?? readOwn(mail, current);
      }
      for (const each of visited) values.set(each, value ?? 'none');
    }
    return value === 'none' ? undefined : value;
  };
}
