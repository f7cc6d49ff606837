/** Faults between a client and the service. */
export type FaultKind =
  /** Responds with this status; the operation is not performed. `message` is added to the JSON body. */
  | { readonly kind: 'status'; readonly status: number; readonly message?: string }
  /** Responds with the documented 500 of the operation, which is not performed. */
  | { readonly kind: 'operationError'; readonly detail?: string }
  /** Responds with an HTML page; the operation is not performed. Default status 200. */
  | { readonly kind: 'html'; readonly status?: number }
  /** Performs the operation and responds with 200 and truncated JSON of the declared length. */
  | { readonly kind: 'brokenJson' }
  /** Performs the operation and closes the connection in the middle of the body. */
  | { readonly kind: 'cut' }
  /** Resets the connection before the request body is read; the operation is not performed. */
  | { readonly kind: 'resetBeforeRead' }
  /** Resets the connection after the request was read; the operation is not performed. */
  | { readonly kind: 'resetAfterRead' }
  /** No response, or (`after: 'headers'`) only headers; the operation is not performed. */
  | { readonly kind: 'hang'; readonly after?: 'request' | 'headers' }
  /** Sends the correct response slowly: `bytes` (default 16) every `intervalMs` (default 50). */
  | { readonly kind: 'slow'; readonly bytes?: number; readonly intervalMs?: number }
  /**
   * A redirect (default 302); the operation is not performed. `same` leads to another path of this origin, where the request is answered
   * normally; `other` to a nonexistent origin, unless `location` is set.
   */
  | {
      readonly kind: 'redirect';
      readonly to: 'same' | 'other';
      readonly status?: 301 | 302 | 303 | 307 | 308;
      readonly location?: string;
    }
  /** Responds without a body; the operation is not performed. Default status 200. */
  | { readonly kind: 'empty'; readonly status?: number }
  /** Responds with 429; `retryAfter` in seconds (default 1) or an HTTP date. The operation is not performed. */
  | { readonly kind: 'rateLimited'; readonly retryAfter?: number | string }
  /** Performs the operation and resets the connection before responding. */
  | { readonly kind: 'lostAnswer' }
  /** Responds with 504 immediately or (`answer: 'none'`) not at all. The operation is performed when `land` is called. */
  | { readonly kind: 'late'; readonly answer?: 'gatewayTimeout' | 'none' }
  /** Performs the operation and responds with 200 and an `errors` field. */
  | { readonly kind: 'errors'; readonly errors: string | readonly string[]; readonly message?: string }
  /** Streams JSON of `bytes` bytes (default 70 MiB); the operation is not performed. */
  | { readonly kind: 'oversized'; readonly bytes?: number };
