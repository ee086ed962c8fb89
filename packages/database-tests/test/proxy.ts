import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy before a server on loopback, which can lose connections in ways that a server cannot
 * be made to.
 */
export interface Proxy {
  readonly port: number;
  /**
   * How often a client has spoken after the server had: how many round trips there were, logins
   * included.
   */
  turns(): number;
  /** How many connections were made. */
  connections(): number;
  /** How many of them are open. */
  open(): number;
  /** Lets every connection that is open now break as soon as its client speaks again. */
  breakWhenUsed(): void;
  /** Forwards nothing more on the connections that are open now, and keeps them open. */
  freeze(): void;
  /** Breaks every connection, and leads new ones to another port. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  state: 'forwards' | 'breaks' | 'frozen';
  speaker: 'client' | 'server';
}

/** How a proxy changes what it forwards. */
export interface ProxyOptions {
  /**
   * A word that clients use, and one of the same length that the server gets in its place, and
   * back.
   */
  readonly renamed?: readonly [client: string, server: string];
}

/** Starts a proxy to a port on loopback. */
export async function startProxy(
  firstTarget: number,
  { renamed: [ours, theirs] = ['', ''] }: ProxyOptions = {},
): Promise<Proxy> {
  const pairs = new Set<Pair>();
  let turns = 0;
  let connections = 0;
  let target = firstTarget;
  const server = createServer((client) => {
    connections += 1;
    const pair: Pair = { client, state: 'forwards', speaker: 'server' };
    const upstream = connect(target, '127.0.0.1');
    pairs.add(pair);
    client.on('data', (chunk) => {
      if (pair.state === 'breaks') client.resetAndDestroy();
      if (pair.state !== 'forwards') return;
      if (pair.speaker === 'server') turns += 1;
      pair.speaker = 'client';
      upstream.write(replaced(chunk, ours, theirs));
    });
    upstream.on('data', (chunk) => {
      if (pair.state === 'frozen') return;
      pair.speaker = 'server';
      client.write(replaced(chunk, theirs, ours));
    });
    client
      .on('error', () => undefined)
      .on('close', () => {
        pairs.delete(pair);
        upstream.destroy();
      });
    upstream.on('error', () => undefined).on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    turns: () => turns,
    connections: () => connections,
    open: () => pairs.size,
    breakWhenUsed: () => pairs.forEach((pair) => (pair.state = 'breaks')),
    freeze: () => pairs.forEach((pair) => (pair.state = 'frozen')),
    leadTo(port) {
      target = port;
      for (const { client } of pairs) client.destroy();
    },
    async close() {
      server.close();
      for (const { client } of pairs) client.destroy();
      await once(server, 'close');
    },
  };
}

function replaced(chunk: Buffer, word: string, by: string): Buffer {
  return word === '' ? chunk : Buffer.from(chunk.toString('latin1').replaceAll(word, by), 'latin1');
}
