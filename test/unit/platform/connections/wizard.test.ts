import assert from 'node:assert/strict';
import { user } from '../../../support/vscodeStandIn.ts';
import { json, respond, WireServer, type Reply } from '../../../support/wire.ts';

const { ConnectionWizard } = await import('../../../../src/platform/connections/wizard.ts');

/** Connects to a service that answers so, and returns the prompt and the message of the box that shows the failure. */
async function fail(reply: Reply) {
  const server = await WireServer.start(() => reply);
  const boxes: (readonly [prompt: string, message: string | undefined])[] = [];
  user.useBox = (box) => {
    boxes.push([box.prompt, box.validationMessage]);
    const text = [server.url, 'a-wrong-key'][boxes.length - 1];
    if (text === undefined) box.hide();
    else box.answer(text);
  };
  try {
    assert.equal(await new ConnectionWizard('Connect a Service', {}).run(), undefined);
  } finally {
    await server.close();
  }
  const [prompt = '', message = ''] = boxes[2] ?? [];
  return { prompt, message };
}

describe('ConnectionWizard', () => {
  beforeEach(() => user.reset());

  it('asks for a wrong key again, as of a connection that does not exist yet', async () => {
    const { prompt, message } = await fail(json(401, { message: 'API key is invalid' }));
    assert.match(prompt, /API key/u);
    assert.equal(
      message,
      'Couldn\'t connect. The service refused the API key. Response: "API key is invalid". Check the API key.',
    );
  });

  it('tries again with Enter if the REST API is not activated, without going back to the URL', async () => {
    const { prompt, message } = await fail(json(403, { message: 'The REST API is not activated.' }));
    assert.match(prompt, /API key/u);
    assert.match(message, /^Couldn't connect\. The REST API of the service isn't activated\. .*Turn on the REST API/u);
  });

  it('quotes the text of a maintenance page', async () => {
    const page =
      '<!DOCTYPE html><html><head><title>\n We will be back &amp; soon</title><style>p{}</style></head><body><p>Try later.';
    const { message } = await fail(respond(503, page));
    assert.match(message, /status 503\. Response: "We will be back & soon Try later\." Try again later/u);
    assert.match(
      (await fail(respond(200, page))).message,
      /web page, not JSON\. Response: "We will be back & soon Try later\."/u,
    );
    assert.doesNotMatch((await fail(respond(503, '<p></p>'))).message, /Response|<p>/u);
  });
});
