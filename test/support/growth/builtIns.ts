/** Estimates the work of built-in functions, which block coverage can't see: the characters that searches scan, and the items that arrays move. */
let work = 0;

/** Returns the work since the last call. */
export function takeWork(): number {
  const before = work;
  work = 0;
  return before;
}

type Method = (this: never, ...args: never[]) => unknown;
type Measure = (self: { readonly length: number }, args: readonly unknown[], result: unknown) => number;

function replaceMethod(prototype: object, name: string, measure: Measure) {
  const method = Reflect.get(prototype, name) as Method;
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value(this: { readonly length: number }, ...args: unknown[]): unknown {
      const result = Reflect.apply(method, this, args);
      work += measure(this, args, result);
      return result;
    },
  });
}

/** The distance from the start of a search to what it found, or to the end. */
const measureSearch: Measure = ({ length }, [, from], found) =>
  Math.max(0, (typeof found === 'number' && found >= 0 ? found : length) - Number(from ?? 0));

/** Replaces built-in functions of this thread. Call it before the code to measure is loaded. */
export function measureBuiltIns(): void {
  for (const name of ['indexOf', 'includes']) {
    replaceMethod(String.prototype, name, measureSearch);
    replaceMethod(Array.prototype, name, measureSearch);
  }
  for (const name of ['unshift', 'shift', 'concat', 'toSorted', 'toReversed', 'with', 'toSpliced'])
    replaceMethod(Array.prototype, name, ({ length }) => length);
  replaceMethod(Array.prototype, 'slice', (_self, _args, result) => (result as readonly unknown[]).length);
  // The other methods with a regular expression call this one.
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function measured(text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = Reflect.apply(exec, this, [text]) as RegExpExecArray | null;
    const end = match ? match.index + match[0].length : this.sticky ? from : String(text).length;
    work += Math.max(0, end - from);
    return match;
  };
}
