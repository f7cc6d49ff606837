/** Jobs by name. Inputs and results must be cloneable: no functions or class instances. */
export type JobTable = Readonly<Record<string, (input: never) => unknown>>;

export type JobInput<Jobs extends JobTable, Name extends keyof Jobs> = Parameters<Jobs[Name]>[0];
export type JobResult<Jobs extends JobTable, Name extends keyof Jobs> = ReturnType<Jobs[Name]>;

/** Message to the thread. */
export interface WorkerRequest {
  readonly id: number;
  readonly job: string;
  readonly input: unknown;
}

/** Message from the thread. `isReady`: its script is loaded. `error`: the job threw this message. */
export type WorkerResponse =
  { readonly isReady: true } | ({ readonly id: number } & ({ readonly result: unknown } | { readonly error: string }));
