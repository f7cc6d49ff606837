import { parentPort, workerData } from 'node:worker_threads';
import { setDisplayLanguage, type DisplayLanguage } from '../../l10n.ts';

/** Jobs by name. Inputs and results must be cloneable: no functions or class instances. */
export type JobTable = Readonly<Record<string, (input: never) => unknown>>;

export type JobInput<Jobs extends JobTable, Name extends keyof Jobs> = Parameters<Jobs[Name]>[0];
export type JobResult<Jobs extends JobTable, Name extends keyof Jobs> = Awaited<ReturnType<Jobs[Name]>>;

/** Message to the thread. */
export interface WorkerRequest {
  readonly id: number;
  readonly job: string;
  readonly input: unknown;
}

/** Message from the thread. `isReady`: its script is loaded. `error`: the job threw this message. */
export type WorkerResponse =
  { readonly isReady: true } | ({ readonly id: number } & ({ readonly result: unknown } | { readonly error: string }));

/** Runs requested jobs in this thread. */
export function serve(jobs: JobTable): void {
  setDisplayLanguage(workerData as DisplayLanguage);
  parentPort?.on('message', (request: WorkerRequest) => {
    void runJob(jobs, request).then((response) => parentPort?.postMessage(response));
  });
  parentPort?.postMessage({ isReady: true } satisfies WorkerResponse);
}

async function runJob(jobs: JobTable, { id, job, input }: WorkerRequest): Promise<WorkerResponse> {
  try {
    return { id, result: await jobs[job]?.(input as never) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
