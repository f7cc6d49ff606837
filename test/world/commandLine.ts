/** What a process of the command line runs. */
export { transfer } from '../../src/cli/transfers.ts';
