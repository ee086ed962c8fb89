import type { MariadbServer } from '@proj/test-servers';

/** The table that {@link moveTo} needs on both servers. */
export const MOVED_TABLE = 'create table moved (id int primary key)';

/** The number that the next transaction of a server takes. */
export async function nextTransaction(server: MariadbServer): Promise<number> {
  const status = await server.client('show engine innodb status');
  return Number(/Trx id counter (\d+)/.exec(status)?.[1]);
}

/**
 * Begins transactions on the server that is behind, until the next one of both has the same number.
 */
export async function moveTo(one: MariadbServer, two: MariadbServer): Promise<void> {
  for (;;) {
    const [first, second] = await Promise.all([nextTransaction(one), nextTransaction(two)]);
    if (first === second) return;
    const behind = first < second ? one : two;
    await advance(behind, Math.min(Math.abs(first - second), 200));
  }
}

/** Lets transactions of a server take so many numbers. */
export async function advance(server: MariadbServer, numbers: number): Promise<void> {
  // This takes one; a transaction that wrote takes another one at its end.
  await server.client('begin; select * from moved for update; rollback;'.repeat(numbers));
}
