import { parentPort } from 'node:worker_threads';
import type { Answer, JobTable, Request } from './protocol.ts';

/** Does jobs in this thread, as they are asked for. */
export function serve(jobs: JobTable): void {
  parentPort?.on('message', (request: Request) => parentPort?.postMessage(answer(jobs, request)));
  parentPort?.postMessage({ isReady: true } satisfies Answer);
}

function answer(jobs: JobTable, { id, job, input }: Request): Answer {
  const run = Object.hasOwn(jobs, job) ? jobs[job] : undefined;
  if (!run) return { id, error: `There is no job “${job}”.` };
  try {
    return { id, result: run(input as never) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
