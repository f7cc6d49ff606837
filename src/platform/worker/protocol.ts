/** Jobs by name. An input and a result are what can be cloned: no functions, no classes. */
export type JobTable = Readonly<Record<string, (input: never) => unknown>>;

export type JobInput<Jobs extends JobTable, Name extends keyof Jobs> = Parameters<Jobs[Name]>[0];
export type JobResult<Jobs extends JobTable, Name extends keyof Jobs> = ReturnType<Jobs[Name]>;

/** To the thread: one job at a time. */
export interface WorkerRequest {
  readonly id: number;
  readonly job: string;
  readonly input: unknown;
}

/** From the thread. `isReady`: it has loaded its script; `error`: what the job has thrown. */
export type WorkerResponse =
  { readonly isReady: true } | ({ readonly id: number } & ({ readonly result: unknown } | { readonly error: string }));
