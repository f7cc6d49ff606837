import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createClock } from './clock.ts';
import { TEST_LIST } from './data/lists.ts';
import { loadStarters } from './data/starters.ts';
import type { Sandbox, SandboxOptions } from './model.ts';
import { composeHere } from './message.ts';
import { createOutbox } from './outbox.ts';
import { createPosting } from './posting.ts';
import { profiles } from './profiles.ts';
import { RequestLog } from './requestLog.ts';
import { createApiServer } from './server.ts';
import { createStore } from './store.ts';

/** How often the sandbox looks for what fell due by itself, in milliseconds. */
const TICK = 1000;
const SUBSCRIBERS = 240;

/** See `startSandbox`. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { apiKey = randomBytes(24).toString('base64url'), basePath = '', subscribers = SUBSCRIBERS } = options;
  const starters = await loadStarters(options.assets);
  const profile = profiles[options.profile ?? 'documented'];
  const clock = createClock(options.now ?? (() => new Date()), () => posting.catchUp());
  const log = new RequestLog();
  const newStore = () =>
    createStore({ starters, templates: options.templates ?? starters.length, subscribers, profile, clock });
  let store = newStore();
  const composing = { profile: options.composing ?? profile.name, compose: options.compose ?? composeHere };
  const outbox = createOutbox(
    () => store,
    () => baseUrl,
    composing,
  );
  let posting = createPosting(store, outbox);

  const server = createApiServer({
    apiKey,
    basePath,
    profile,
    log,
    intercept: options.intercept,
    largestBody: options.largestBody,
    run(route, call) {
      posting.catchUp();
      return route.run({ ...call, store, posting });
    },
  });
  const close = await listen(server, options.port ?? 0);
  const baseUrl = `http://127.0.0.1:${portOf(server)}${basePath}`;
  // `Sandbox` never keeps its process alive on its own account.
  const ticking = setInterval(() => posting.catchUp(), TICK).unref();

  return {
    baseUrl,
    apiKey,
    profile: profile.name,
    testListId: TEST_LIST,
    outbox,
    clock,
    requests: log.entries,
    reset() {
      clock.restart();
      log.clear();
      outbox.clear();
      store = newStore();
      posting = createPosting(store, outbox);
    },
    close() {
      clearInterval(ticking);
      return close();
    },
  };
}

/** Listens on 127.0.0.1. The function it resolves to ends the server and all its connections, those that hang too. */
async function listen(server: Server, port: number): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that resets its connection is no error of the server's.
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
