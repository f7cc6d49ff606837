/*
 * What a process of the world runs: the product's code above Node and `vscode`, and the window's glue. It is bundled, and evaluated once for
 * each process, so that each has its own memory.
 */
export { user } from '../support/vscodeStandIn.ts';
export { openWindow } from './window.ts';
export { transfer } from '../../src/cli/transfers.ts';
