import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Forwards connections to a service from its own port, and can refuse them. */
export class Relay {
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server;
  #port = 0;

  private constructor(target: number) {
    this.#target = target;
    this.#server = this.#newServer();
  }

  /** @param target port of the service on this computer */
  static async start(target: number): Promise<Relay> {
    const relay = new Relay(target);
    await relay.accept();
    return relay;
  }

  get port(): number {
    return this.#port;
  }

  /** Accepts connections again on the same port. */
  async accept(): Promise<void> {
    this.#server = this.#newServer();
    await new Promise<void>((resolve, reject) =>
      this.#server.once('error', reject).listen(this.#port, '127.0.0.1', resolve),
    );
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Closes all connections and refuses new ones. */
  async refuse(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #newServer() {
    return createServer((socket) => {
      const inner = connect(this.#target, '127.0.0.1');
      for (const [end, other] of [
        [socket, inner],
        [inner, socket],
      ] as const) {
        this.#sockets.add(end);
        end.on('error', () => undefined);
        // Forwards a reset as a reset.
        end.on('close', (failed) => {
          this.#sockets.delete(end);
          if (failed) other.resetAndDestroy();
          else other.end();
        });
        end.pipe(other);
      }
    });
  }
}
