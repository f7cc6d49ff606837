/** What can go wrong between a client and the service. */
export type FaultKind =
  /** Answers this status; the operation is not done. `message` goes into the JSON body. */
  | { readonly kind: 'status'; readonly status: number; readonly message?: string }
  /** The operation's own 500 of the document's error table; nothing is done. */
  | { readonly kind: 'operationError'; readonly detail?: string }
  /** An HTML page instead of JSON; nothing is done. Default status 200. */
  | { readonly kind: 'html'; readonly status?: number }
  /** 200 with JSON that breaks off, under a correct length; the operation is done. */
  | { readonly kind: 'brokenJson' }
  /** The connection ends in the middle of the answer's body; the operation is done. */
  | { readonly kind: 'cut' }
  /** The connection is reset before the body of the request is read; nothing is done. */
  | { readonly kind: 'resetBeforeRead' }
  /** The connection is reset after the request was read; nothing is done. */
  | { readonly kind: 'resetAfterRead' }
  /** No answer at all, or (`after: 'headers'`) nothing after the answer's headers; nothing is done. */
  | { readonly kind: 'hang'; readonly after?: 'request' | 'headers' }
  /** The right answer, `bytes` (default 16) at a time, every `intervalMs` (default 50). */
  | { readonly kind: 'slow'; readonly bytes?: number; readonly intervalMs?: number }
  /**
   * A redirect (default 302); nothing is done. `same` leads to another path of this origin, where the request is answered
   * normally; `other` to an origin that does not exist, unless `location` names one.
   */
  | {
      readonly kind: 'redirect';
      readonly to: 'same' | 'other';
      readonly status?: 301 | 302 | 303 | 307 | 308;
      readonly location?: string;
    }
  /** No body. Default status 200; the operation is not done. */
  | { readonly kind: 'empty'; readonly status?: number }
  /** 429; `retryAfter` in seconds (default 1), or an HTTP date. Nothing is done. */
  | { readonly kind: 'rateLimited'; readonly retryAfter?: number | string }
  /** The operation is done, and the connection reset before a byte of the answer. */
  | { readonly kind: 'lostAnswer' }
  /**
   * A service that goes on after nobody waits for it any more: 504 at once, or (`answer: 'none'`) no answer at all. The operation is done
   * when the handle's `land` is called.
   */
  | { readonly kind: 'late'; readonly answer?: 'gatewayTimeout' | 'none' }
  /** 200 with an `errors` field; the operation is done. */
  | { readonly kind: 'errors'; readonly errors: string | readonly string[]; readonly message?: string }
  /** JSON of `bytes` bytes (default 70 MiB), streamed; nothing is done. */
  | { readonly kind: 'oversized'; readonly bytes?: number };
