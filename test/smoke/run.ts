export { run } from '../integration/run.ts';
