import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import { listenOnFreePort } from '@proj/test-servers';

/** Stands for a proxy that leads the statements of one session to several servers. */
export interface StatementRouter {
  readonly url: string;
  close(): Promise<void>;
}

/** Which statements go to the servers in turn; all others go to the first one. */
export type Routed = (text: string) => boolean;

/** What is done before a statement goes to a server. */
export type Before = () => Promise<unknown>;

/** What goes to every server. */
const SESSION_WIDE = /^\s*(begin|commit|rollback|set) ?/i;

const SYNC = 'S'.charCodeAt(0);
const SIMPLE_QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);

/** Messages up to the one that the server answers by being ready again. */
interface Unit {
  readonly bytes: Buffer;
  readonly text: string;
}

/**
 * Starts a test double of a sharding router before PostgreSQL servers that ask for no passwords, and
 * have databases of one name. A transaction begins and ends on all of them, and each statement
 * between goes to one.
 */
export async function startStatementRouter(
  servers: readonly string[],
  isRouted: Routed,
  before: Before = async () => undefined,
): Promise<StatementRouter> {
  const ports = servers.map((url) => Number(new URL(url).port));
  const url = new URL(servers[0] ?? '');
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.on('error', () => undefined).on('close', () => open.delete(client));
    void route(client, { ports, isRouted, before }).catch(() => client.destroy());
  });
  url.port = String(await listenOnFreePort(server));
  return {
    url: url.href,
    async close() {
      server.close();
      for (const client of open) client.destroy();
      await once(server, 'close');
    },
  };
}

interface Routing {
  readonly ports: readonly number[];
  readonly isRouted: Routed;
  readonly before: Before;
}

async function route(client: Socket, { ports, isRouted, before }: Routing): Promise<void> {
  const backends = ports.map((port) => new Backend(port));
  client.on('close', () => backends.forEach((backend) => backend.close()));
  const clientBytes = new Buffered(client);
  const length = (await clientBytes.peek(4)).readInt32BE(0);
  const startUp = await clientBytes.take(length);
  const isCancelRequest = startUp.readInt32BE(4) === 80_877_102;
  if (isCancelRequest) {
    client.end();
    return;
  }
  const [greeting] = await Promise.all(backends.map((backend) => backend.ask(startUp)));
  client.write(greeting ?? '');
  let turn = 0;
  for (;;) {
    const { bytes, text } = await nextUnit(clientBytes);
    await before();
    const first = isRouted(text) ? turn++ % backends.length : 0;
    const routed = SESSION_WIDE.test(text) ? backends : backends.slice(first, first + 1);
    const [answer] = await Promise.all(routed.map((backend) => backend.ask(bytes)));
    client.write(answer ?? '');
  }
}

async function nextUnit(client: Buffered): Promise<Unit> {
  const messages: Buffer[] = [];
  let text = '';
  for (;;) {
    const head = await client.peek(5);
    const message = await client.take(1 + head.readInt32BE(1));
    messages.push(message);
    const [kind] = message;
    if (kind === SIMPLE_QUERY) text = message.toString('utf8', 5);
    if (kind === PARSE) text = message.toString('utf8', message.indexOf(0, 5) + 1);
    if (kind === SIMPLE_QUERY || kind === SYNC) return { bytes: Buffer.concat(messages), text };
  }
}

/** A session of one server. */
class Backend {
  readonly #socket: Socket;
  readonly #bytes: Buffered;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').on('error', () => undefined);
    this.#bytes = new Buffered(this.#socket);
  }

  /** Sends messages, and gives what the server answers until it is ready again. */
  async ask(bytes: Buffer): Promise<Buffer> {
    this.#socket.write(bytes);
    const answer: Buffer[] = [];
    for (;;) {
      const head = await this.#bytes.peek(5);
      const message = await this.#bytes.take(1 + head.readInt32BE(1));
      answer.push(message);
      if (message[0] === READY) return Buffer.concat(answer);
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** What a socket sent, in pieces of a wanted length. */
class Buffered {
  readonly #socket: Socket;
  #bytes = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      socket.emit('more');
    });
    socket.on('close', () => socket.emit('more'));
  }

  async peek(length: number): Promise<Buffer> {
    while (this.#bytes.length < length) {
      if (this.#socket.destroyed) throw new Error('The connection was closed.');
      await once(this.#socket, 'more');
    }
    return this.#bytes.subarray(0, length);
  }

  async take(length: number): Promise<Buffer> {
    const taken = await this.peek(length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }
}
