import type { MariadbServer } from '@proj/test-servers';

/** The table that {@link moveTo} needs on both servers. */
export const MOVED_TABLE = 'create table moved (id int primary key)';

/** The number that the next transaction of a server takes. */
export async function nextTransaction(server: MariadbServer): Promise<number> {
  const status = await server.client('show engine innodb status');
  return Number(/Trx id counter (\d+)/.exec(status)?.[1]);
}

/**
 * Begins to write on the server that is behind, until the next transaction of both has the same
 * number.
 */
export async function moveTo(one: MariadbServer, two: MariadbServer): Promise<void> {
  for (;;) {
    const [first, second] = await Promise.all([nextTransaction(one), nextTransaction(two)]);
    if (first === second) return;
    const behind = first < second ? one : two;
    const distance = Math.abs(first - second);
    // A transaction takes a number, and its end another one.
    const step = 'begin; insert into moved values (0); rollback;';
    await behind.client(step.repeat(Math.min(distance, 200)));
  }
}
