// Loaded into VS Code's server (`node --import`): answers the workbench's POST /mint-key with the server's half of the key that secrets
// are encrypted with in the browser. code-server's own wrapper does this; without it, secrets would not outlive a reload of the page.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Server } from 'node:http';
import { dirname } from 'node:path';

const { MINT_KEY_FILE: file, MINT_KEY_TOKEN: token } = process.env;
// Not for the extension host, which inherits the environment.
delete process.env['MINT_KEY_FILE'];
delete process.env['MINT_KEY_TOKEN'];

if (file && token) {
  const emit = Server.prototype.emit;
  Server.prototype.emit = /** @type {typeof emit} */ (
    /** @this {Server} @param {any[]} args */ function answerMintKey(...args) {
      const [event, request, response] = args;
      if (event !== 'request' || request.method !== 'POST' || request.url !== '/mint-key')
        return Reflect.apply(emit, this, args);
      const isAuthorized = (request.headers.cookie ?? '').split(/;\s*/).includes(`vscode-tkn=${token}`);
      response.writeHead(isAuthorized ? 200 : 403, { 'Content-Type': 'application/octet-stream' });
      response.end(isAuthorized ? readKey(file) : undefined);
      return true;
    }
  );
}

/**
 * Created at first use and stored for the next start.
 * @param {string} path
 */
function readKey(path) {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, randomBytes(32), { mode: 0o600 });
  }
  return readFileSync(path);
}
