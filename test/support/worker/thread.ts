import { serve } from '../../../src/platform/worker/serve.ts';

/** Jobs that fail in every possible way. */
export const faultyJobs = {
  double: ({ number }: { readonly number: number }) => number * 2,
  fail: ({ message }: { readonly message: string }) => {
    throw new Error(message);
  },
  crash: ({ code }: { readonly code: number }) => process.exit(code),
  hang: ({ ms }: { readonly ms: number }) => {
    const end = Date.now() + ms;
    while (Date.now() < end);
    return 'late';
  },
  fill: ({ size }: { readonly size: number }): number => {
    const all: object[] = [];
    for (;;) all.push(new Array(size).fill({ text: `${all.length}` }));
  },
};

export type FaultyJobs = typeof faultyJobs;

serve(faultyJobs);
