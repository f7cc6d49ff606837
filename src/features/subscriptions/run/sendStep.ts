import { isApiError } from '../../../service/client/errors.ts';
import type { MailingClient, SubscriptionResult } from '../../../service/client/index.ts';
import type { StepResult, ChangeKind, RunPlan, Step } from './run.ts';

/** Runs an operation on the client of a connection. */
type RunOperation = <T>(operation: (client: MailingClient) => Promise<T>) => Promise<T>;

/** Sends one request of a plan. Never throws and never repeats the request. */
export async function sendStep(
  runOn: RunOperation,
  { kind, sendEmail, trigger }: Pick<RunPlan, 'kind' | 'sendEmail' | 'trigger'>,
  { emails, listIds }: Step,
): Promise<StepResult> {
  const requests: Readonly<Record<ChangeKind, (client: MailingClient) => Promise<SubscriptionResult>>> = {
    subscribe: (client) => client.subscribeUsers({ emails, listIds, sendWelcomeEmail: sendEmail, trigger }),
    unsubscribe: (client) => client.unsubscribeUsers({ emails, listIds, sendUnsubscribeEmail: sendEmail, trigger }),
  };
  let hasBegun = false;
  const request = (client: MailingClient): Promise<SubscriptionResult> => {
    hasBegun = true;
    return requests[kind](client);
  };
  const answer = await classifyAnswer(() => runOn(request), emails);
  // The connection or client is missing, so nothing was sent.
  return answer.kind === 'unknown' && !hasBegun ? { kind: 'refused', error: answer.error } : answer;
}

/** Classifies the response to a request. A 404 "No users found." means that no address was found, and counts as done. */
export async function classifyAnswer(
  request: () => Promise<SubscriptionResult>,
  emails: readonly string[],
): Promise<StepResult> {
  try {
    const { notFound, message = '' } = await request();
    const problem = /\blists?\b[^.]*\bnot found\b[^.]*/iu.exec(message)?.[0];
    return { kind: 'done', notFound, ...(problem !== undefined && { problem }) };
  } catch (error) {
    // Other errors don't show whether the service processed the request.
    if (!isApiError(error)) return { kind: 'unknown', error };
    if (error.status === 404 && /\bno users?\b|\busers? not found\b/iu.test(error.serverMessage ?? ''))
      return { kind: 'done', notFound: emails };
    return { kind: error.outcome, error };
  }
}
