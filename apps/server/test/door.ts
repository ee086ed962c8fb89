import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

import { freePort } from '@proj/test-servers';

/** An address of a database that is away while it is closed: connections are refused there. */
export interface Door {
  readonly url: string;
  readonly open: () => Promise<void>;
  /** Ends the connections, too. */
  readonly close: () => Promise<void>;
}

/** A closed door in front of a database. */
export async function doorTo(database: string): Promise<Door> {
  const url = new URL(database);
  const server = { host: url.hostname, port: Number(url.port) };
  url.port = String(await freePort());
  let listener: Server | undefined;
  const close = async (): Promise<void> => {
    if (listener === undefined) return;
    const closed = once(listener, 'close');
    listener.emit('end');
    listener.close();
    listener = undefined;
    await closed;
  };
  const open = async (): Promise<void> => {
    const opened = createServer((caller) => {
      const behind = connect(server);
      for (const socket of [caller, behind]) socket.on('error', () => undefined);
      opened.once('end', () => caller.destroy());
      caller.pipe(behind).pipe(caller);
      caller.once('close', () => behind.destroy());
    });
    opened.setMaxListeners(0).listen(Number(url.port), '127.0.0.1');
    listener = opened;
    await once(opened, 'listening');
  };
  return { url: url.href, open, close };
}
