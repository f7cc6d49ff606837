import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { eventually } from '../../support/eventually.ts';

const script = fileURLToPath(new URL('../../../scripts/lib/openBrowser.mjs', import.meta.url));

describe('The browser that npm start opens', () => {
  it('gets its token from a page that only the user can read, not from its arguments', async function () {
    if (process.platform !== 'linux') this.skip();
    const folder = makeScratch();
    const output = join(folder, 'output');
    try {
      writeFileSync(
        join(folder, 'xdg-open'),
        `#!/bin/sh\necho "$@" > '${output}.part' && mv '${output}.part' '${output}'\n`,
      );
      chmodSync(join(folder, 'xdg-open'), 0o700);
      const { CI: _, ...environment } = process.env;
      const env = { ...environment, DISPLAY: ':0', PATH: `${folder}${delimiter}${environment['PATH'] ?? ''}` };
      const address = 'http://127.0.0.1:8383/?tkn=s3cret&folder=/a"b';
      const open = `import(${JSON.stringify(script)}).then(({ openBrowser }) => openBrowser(${JSON.stringify(address)}))`;
      execFileSync(process.execPath, ['-e', open], { env });
      const [page = ''] = await eventually(() => {
        assert.ok(existsSync(output));
        return readFileSync(output, 'utf8').trim().split('\n');
      });
      assert.doesNotMatch(page, /s3cret/u);
      assert.equal(statSync(page).mode & 0o777, 0o600);
      assert.ok(
        readFileSync(page, 'utf8').includes('content="0;url=http://127.0.0.1:8383/?tkn=s3cret&amp;folder=/a&quot;b"'),
      );
      rmSync(page);
    } finally {
      removeScratch(folder);
    }
  });
});
