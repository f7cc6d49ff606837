import * as vscode from 'vscode';
import type { Node } from './nodes.ts';

/** Time that VS Code gets to render new rows. */
const RENDER_DELAY_MS = 300;

/**
 * Defers change events until VS Code has rendered the rows it requested. If a row changes while VS Code is receiving
 * its children, VS Code keeps the old children, which its extension host no longer knows, and runs commands on them
 * without an argument.
 */
export class TreeChanges implements vscode.Disposable {
  readonly #emitter = new vscode.EventEmitter<Node | Node[] | undefined>();
  /** Undefined means the whole tree. */
  readonly #pending = new Set<Node | undefined>();
  /** Responses that VS Code is still rendering. */
  #pendingRenders = 0;

  readonly event = this.#emitter.event;

  /** Renders the rows and everything below them again; the whole tree for `undefined`. */
  notify(...nodes: (Node | undefined)[]): void {
    for (const node of nodes) this.#pending.add(node);
    this.#flush();
  }

  /** Call when children are returned to VS Code. `onRendered` runs once they are rendered. */
  awaitRendering(onRendered: () => void): void {
    this.#pendingRenders += 1;
    // Messages to VS Code arrive in order: it answers this command after receiving the children.
    const arrived = vscode.commands.executeCommand('noop');
    const end = (): void => {
      this.#pendingRenders -= 1;
      onRendered();
      this.#flush();
    };
    const wait = (): void => void setTimeout(end, RENDER_DELAY_MS);
    // Without an answer, VS Code is shutting down.
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

/** Returns whether `node` is the connection of the row `below`. */
function isAncestor(node: Node | undefined, below: Node): boolean {
  return node?.kind === 'connection' && 'connection' in below && node.connection === below.connection;
}
