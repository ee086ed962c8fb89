import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import { SEED } from '@proj/test-servers';

import { Random } from '../../truth/random.ts';
import { ServerMessages, type UnbegunAnswers } from './unbegun-answers.ts';

const random = new Random(SEED);

/** How a proxy keeps reads from being those of a caller. */
export interface Sabotage {
  /** Of how many transactions, from 0 to 1, the beginning never reaches the server. */
  readonly lostBegins: number;
  /** Whether it looks to the client as if they had begun. */
  readonly claimsToHaveBegun?: boolean;
  /** Whether statements no longer find out for themselves whether they are part of their read. */
  readonly blindsStatements?: boolean;
  /** Of how many transactions the connection is broken once they began. */
  readonly broken?: number;
}

/** A proxy before a server on loopback, or before a pooler. */
export interface SabotageProxy {
  readonly port: number;
  /** Counted so far. */
  readonly unbegun: Readonly<UnbegunAnswers>;
  /** Changes from now on what is sent. */
  begin(): void;
  close(): Promise<void>;
}

/** What statements compare to find out whose they are, and what is always true in its place. */
const OWN_CHECK = "(current_setting('dynamic_query.caller', true), current_user) =";
const ALWAYS = "true or ('dynamic_query.caller', current_user) =";

/** The codes of the messages that a connection may begin with beside its start-up. */
const [SSL_REQUEST, CANCEL_REQUEST] = [80_877_103, 80_877_102];

/** Starts a proxy that changes what clients of PostgreSQL send. */
export async function startSabotage(target: number, sabotage: Sabotage): Promise<SabotageProxy> {
  const sockets = new Set<Socket>();
  const state = { hasBegun: false };
  const unbegun = { denied: 0, unrecognized: 0, shown: 0 };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.pipe(client);
    const messages = new ClientMessages(sabotage, state);
    const answers = new ServerMessages(unbegun);
    upstream.on('data', (chunk) => {
      // Whether it takes TLS is said in one byte, before anything begins.
      if (messages.hasStarted) answers.take(chunk, messages.hasLostBegin);
    });
    client.on('data', (chunk) => {
      for (const message of messages.changed(chunk)) {
        if (message === 'break') client.destroy();
        else upstream.write(message);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    unbegun,
    begin: () => (state.hasBegun = true),
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/**
 * The messages of one client, as far as they have arrived:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
class ClientMessages {
  readonly #sabotage: Sabotage;
  readonly #proxy: { readonly hasBegun: boolean };
  #rest = Buffer.alloc(0);
  #state: 'starting' | 'started' | 'cancelling' = 'starting';
  #hasLostBegin = false;

  constructor(sabotage: Sabotage, proxy: { readonly hasBegun: boolean }) {
    this.#sabotage = sabotage;
    this.#proxy = proxy;
  }

  get hasStarted(): boolean {
    return this.#state === 'started';
  }

  /** Whether the beginning of the newest transaction never reached the server. */
  get hasLostBegin(): boolean {
    return this.#hasLostBegin;
  }

  /** The next messages as the server is to get them, or that the connection is to break. */
  *changed(chunk: Buffer): Generator<Buffer | 'break'> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let next = this.#take(); next !== undefined; next = this.#take()) yield next;
  }

  #take(): Buffer | 'break' | undefined {
    const start = this.#state === 'started' ? 1 : 0;
    if (this.#rest.length < start + 4) return undefined;
    const length = start + this.#rest.readInt32BE(start);
    if (this.#rest.length < length) return undefined;
    const message = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    if (this.#state === 'started')
      return this.#proxy.hasBegun ? this.#changedMessage(message) : message;
    const code = message.readInt32BE(4);
    if (code !== SSL_REQUEST) this.#state = code === CANCEL_REQUEST ? 'cancelling' : 'started';
    return message;
  }

  #changedMessage(message: Buffer): Buffer | 'break' {
    const type = message.toString('latin1', 0, 1);
    const text = message.toString('utf8', 5);
    if (type === 'Q' && text.includes('set local role')) return this.#begin(message);
    const claims = this.#hasLostBegin && this.#sabotage.claimsToHaveBegun === true;
    if (claims && type === 'Q' && text.startsWith('lock table')) return framed('Q', 'select 1\0');
    if (type !== 'P') return message;
    if (this.#sabotage.blindsStatements === true && text.includes(OWN_CHECK))
      return framed('P', text.replaceAll(OWN_CHECK, ALWAYS));
    return message;
  }

  #begin(message: Buffer): Buffer | 'break' {
    const { lostBegins, claimsToHaveBegun = false, broken = 0 } = this.#sabotage;
    if (random.chance(broken)) return 'break';
    this.#hasLostBegin = random.chance(lostBegins);
    if (!this.#hasLostBegin) return message;
    return framed('Q', claimsToHaveBegun ? 'select 1\0' : 'select 1 / 0\0');
  }
}

function framed(type: string, text: string): Buffer {
  const body = Buffer.from(text, 'utf8');
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
