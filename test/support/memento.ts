import type * as vscode from 'vscode';
import type { Json } from '../../src/service/client/shapes.ts';

/** Returns a `Memento` in memory. Like VS Code's, it stores copies, and `undefined` removes a value. */
export function memoryMemento(values = new Map<string, Json>()): vscode.Memento {
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, otherwise?: T) => (values.has(key) ? structuredClone(values.get(key)) : otherwise) as T,
    update: (key, value) => {
      if (value === undefined) values.delete(key);
      else values.set(key, structuredClone(value));
      return Promise.resolve();
    },
  };
}
