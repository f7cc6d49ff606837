import assert from 'node:assert/strict';
import { ApiError, type ApiErrorKind } from '../../../src/service/client/errors.ts';
import { errorText, isCanceled, canRetry, getErrorActions } from '../../../src/ui/errors.ts';

const all = { retry: true, connection: true };

function error(kind: ApiErrorKind, details: Partial<ConstructorParameters<typeof ApiError>[0]> = {}) {
  return new ApiError({ kind, operation: 'getLists', outcome: 'refused', message: 'It failed.', ...details });
}

describe('Errors', () => {
  it('offer Set API Key for a refused key, and Edit Connection for an unreachable service', () => {
    assert.equal(getErrorActions(error('unauthorized'), all)[0], 'setApiKey');
    for (const kind of ['redirect', 'notJson', 'network', 'timeout', 'tls'] as const)
      assert.ok(getErrorActions(error(kind), all).includes('editConnection'), kind);
    assert.ok(!getErrorActions(error('invalid'), all).includes('retry'));
  });

  it('offer only available actions, and always the log', () => {
    const unknownKind = Object.assign(new Error('Our own.'), { kind: 'unheard of' });
    const apiErrors = (['unauthorized', 'network', 'server', 'invalid'] as const).map((kind) => error(kind));
    for (const each of [undefined, ...apiErrors, unknownKind])
      assert.deepEqual(getErrorActions(each, { retry: false, connection: false }), ['showLog']);
    assert.deepEqual(getErrorActions(unknownKind, all), ['retry', 'showLog']);
    assert.deepEqual(getErrorActions(undefined, all), ['retry', 'showLog']);
  });

  it('do not offer to edit the connection for an invalid record', () => {
    assert.deepEqual(getErrorActions(error('notJson', { field: 'headers' }), all), ['retry', 'showLog']);
  });

  it('can be retried only if the request was refused', () => {
    const errors = [error('timeout'), error('timeout', { outcome: 'unknown' }), new Error('Our own.')];
    assert.deepEqual(errors.map(canRetry), [true, false, true]);
  });

  it('are not shown for canceled operations', () => {
    const canceled = new Error('Canceled');
    canceled.name = 'Canceled';
    for (const each of [error('aborted'), new DOMException('stop', 'AbortError'), canceled])
      assert.equal(isCanceled(each), true);
    for (const other of [error('network'), new Error('Canceled'), 'aborted', undefined, { kind: 'aborted' }])
      assert.equal(isCanceled(other), false);
  });

  it('disable links in service messages', () => {
    const text = errorText(
      error('server', { message: 'Look [here](command:workbench.action.quit)\n$(alert) \u202egnp.exe' }),
    );
    assert.doesNotMatch(text, /\]\(/);
    assert.doesNotMatch(text, /\$\(/);
    assert.doesNotMatch(text, /[\n\u202e]/);
    assert.match(text, /here/);
  });

  it('keep the advice visible after a long service message', () => {
    for (const details of [
      { serverMessage: 'So it is. '.repeat(50) },
      { location: `https://example.com/${'a/'.repeat(900)}` },
    ]) {
      const quote = Object.values(details)[0] ?? '';
      const message = `Couldn't create the list. Response: "${quote}". Try again later.`;
      const text = errorText(error('server', { ...details, message }));
      assert.match(text, /^Couldn't create the list\. Response: ".{100,125}…"\. Try again later\.$/u);
    }
  });

  it('are never empty and never too long', () => {
    assert.equal(errorText(new TypeError('')), 'TypeError');
    assert.ok(errorText(undefined).length > 0);
    assert.ok(errorText(new Error('x'.repeat(100_000))).length < 700);
  });
});
