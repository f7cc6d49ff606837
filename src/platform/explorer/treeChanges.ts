import * as vscode from 'vscode';
import type { Node } from './nodes.ts';

/** Milliseconds that VS Code is given to draw rows that it was given. */
const RENDER_DELAY_MS = 300;

/**
 * What changed in the tree, told to VS Code when it can take it. Told of a change of a row while it is still taking the row's children, VS
 * Code keeps those that it has, of which its extension host no longer knows: commands on them are run without them. Such a change is told
 * when VS Code has the children.
 */
export class TreeChanges implements vscode.Disposable {
  readonly #emitter = new vscode.EventEmitter<Node | Node[] | undefined>();
  /** Undefined for the whole tree. */
  readonly #pending = new Set<Node | undefined>();
  /** Answers that VS Code is taking. */
  #pendingRenders = 0;

  readonly event = this.#emitter.event;

  /** The rows are drawn again, with all below them; the whole tree for `undefined`. */
  notify(...nodes: (Node | undefined)[]): void {
    for (const node of nodes) this.#pending.add(node);
    this.#flush();
  }

  /** VS Code is given children: `taken` is called when it has them. */
  awaitRendering(onRendered: () => void): void {
    this.#pendingRenders += 1;
    // What is sent to VS Code arrives in order: it answers this after it took the children.
    const arrived = vscode.commands.executeCommand('noop');
    const end = (): void => {
      this.#pendingRenders -= 1;
      onRendered();
      this.#flush();
    };
    const wait = (): void => void setTimeout(end, RENDER_DELAY_MS);
    // Without an answer, VS Code is gone.
    arrived.then(wait, wait);
  }

  dispose(): void {
    this.#emitter.dispose();
  }

  #flush(): void {
    if (this.#pendingRenders > 0 || this.#pending.size === 0) return;
    const due = [...this.#pending];
    this.#pending.clear();
    const nodes = due
      .filter((node) => node !== undefined)
      .filter((node) => !due.some((above) => above !== node && isAncestor(above, node)));
    if (due.includes(undefined)) this.#emitter.fire(undefined);
    else this.#emitter.fire(nodes.length === 1 ? nodes[0] : nodes);
  }
}

/** Whether a connection is that of a row. */
function isAncestor(node: Node | undefined, below: Node): boolean {
  return node?.kind === 'connection' && 'connection' in below && node.connection === below.connection;
}
