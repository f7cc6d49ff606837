import { parentPort } from 'node:worker_threads';
import type { WorkerResponse, JobTable, WorkerRequest } from './protocol.ts';

/** Runs requested jobs in this thread. */
export function serve(jobs: JobTable): void {
  parentPort?.on('message', (request: WorkerRequest) => parentPort?.postMessage(runJob(jobs, request)));
  parentPort?.postMessage({ isReady: true } satisfies WorkerResponse);
}

function runJob(jobs: JobTable, { id, job, input }: WorkerRequest): WorkerResponse {
  const run = Object.hasOwn(jobs, job) ? jobs[job] : undefined;
  if (!run) return { id, error: `There is no job “${job}”.` };
  try {
    return { id, result: run(input as never) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
