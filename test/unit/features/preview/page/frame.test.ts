import assert from 'node:assert/strict';
import { getFramePolicy } from '../../../../../src/features/preview/page/frame.ts';

describe('The content security policy of an email', () => {
  it('allows no remote content by default', () => {
    assert.doesNotMatch(getFramePolicy(false, undefined), /https?:/u);
    assert.match(getFramePolicy(true, undefined), /img-src data: https: http:/u);
  });

  it('allows no scripts, frames or forms, even with remote content', () => {
    for (const remote of [false, true]) {
      const policy = getFramePolicy(remote, 'https://127.0.0.1:8080/emails/');
      assert.match(policy, /^default-src 'none';/u);
      assert.match(policy, /form-action 'none'$/u);
      assert.doesNotMatch(policy, /script-src|frame-src/u);
    }
  });

  for (const [root, source] of [
    ['http://127.0.0.1:8080/emails/', 'http://127.0.0.1:8080/emails/'],
    ['https://file+.vscode-resource.vscode-cdn.net/emails/', 'https://*.vscode-resource.vscode-cdn.net/emails/'],
    ["https://files.example/a;b,'c'/", 'https://files.example/a%3bb%2c%27c%27/'],
  ] as const) {
    it(`allows stylesheets of ${root} only`, () => {
      assert.ok(
        getFramePolicy(false, root).includes(`style-src 'unsafe-inline' ${source};`),
        getFramePolicy(false, root),
      );
    });
  }
});
