import type * as vscode from 'vscode';

/** Returns a `Memento` in memory. Like VS Code's, it stores copies. */
export function memoryMemento(values = new Map<string, unknown>()): vscode.Memento {
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, otherwise?: T) => (values.has(key) ? structuredClone(values.get(key)) : otherwise) as T,
    update: (key, value) => {
      values.set(key, structuredClone(value));
      return Promise.resolve();
    },
  };
}
