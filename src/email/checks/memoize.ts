import type { BodyElement } from './document.ts';

/** Returns a function that computes the result for each object once. */
export function memoize<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    let stored = results.get(key);
    if (!stored) results.set(key, (stored = { result: compute(key) }));
    return stored.result;
  };
}

type ReadElement<Value> = (element: BodyElement) => Value | undefined;

/** Returns a function that reads a value from an element or its nearest ancestor with one. Reads each element once. */
export function inherit<Value>(readOwn: ReadElement<Value>): ReadElement<Value> {
  const read: ReadElement<Value> = memoize(
    (element) => readOwn(element) ?? (element.parent ? read(element.parent) : undefined),
  );
  return read;
}
