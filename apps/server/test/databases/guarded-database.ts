import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

import { afterFile, type TestDatabase } from '@proj/test-servers';

/** A database that a test may take away from services, while its server serves the other tests. */
export interface GuardedDatabase extends Pick<TestDatabase, 'client'> {
  /** Where services find it. */
  readonly url: string;
  /** Breaks its connections, and each one that is made from now on. */
  readonly halt: () => void;
  /** Answers nothing more, on any connection, and breaks none. */
  readonly freeze: () => void;
  /** Ends both, and answers what was asked meanwhile. */
  readonly restore: () => void;
}

type State = 'open' | 'halted' | 'frozen';

/** Puts a proxy before a database until the test file has ended. */
export async function guardedDatabase(database: TestDatabase): Promise<GuardedDatabase> {
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  let state: State = 'open';
  const guard = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (state === 'frozen') socket.pause();
  };
  const proxy = createServer((caller) => {
    if (state === 'halted') {
      caller.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    caller.pipe(server).pipe(caller);
    for (const socket of [caller, server]) guard(socket);
    caller.on('close', () => server.destroy());
    server.on('close', () => caller.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const reset = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  afterFile(() => {
    proxy.close();
    reset();
  });
  const guarded = new URL(database.url);
  guarded.port = String((proxy.address() as AddressInfo).port);
  return {
    url: guarded.href,
    client: async (sql) => database.client(sql),
    halt() {
      state = 'halted';
      reset();
    },
    freeze() {
      state = 'frozen';
      for (const socket of sockets) socket.pause();
    },
    restore() {
      state = 'open';
      for (const socket of sockets) socket.resume();
    },
  };
}
