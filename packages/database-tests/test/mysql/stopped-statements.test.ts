import type { Engine } from '@proj/engine';
import { type Connection as Writer, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Connection } from '../../../mysql/src/connection/connection.ts';
import { readMysqlUrl } from '../../../mysql/src/connection/url.ts';
import { atRelease, READINGS, StatementStop } from '../every-statement.ts';
import { ask, open } from '../open.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

/** A page of `shown` is read by one statement, which begins no transaction. */
const SQL = `create table t (id int primary key);
  insert into t select seq from seq_1_to_1500;
  create view shown as select id from t;`;

/** As `kill query` does. */
const STOPPED = `signal sqlstate '70100' set mysql_errno = 1317`;

/** What a session is lent in. */
const STATE = 'select @@in_transaction, @@autocommit, @@tx_isolation';

describeMariadb('a connection of MariaDB one of whose statements was stopped', () => {
  const mariadb = useMariadb(SQL);
  const stop = new StatementStop();
  beforeAll(() => {
    // The worst moment: a setting is not made yet, and anything else has been done.
    stop.in(Connection, ['command', 'execute', 'rows'], (connection, [given]) => {
      const done = typeof given === 'string' && !given.startsWith('set') ? `${given}; ` : '';
      return connection.command(`begin not atomic ${done}${STOPPED}; end`);
    });
  });

  it('is not lent at all where it was one of those that set it up', async () => {
    const address = readMysqlUrl(mariadb().url);
    const opened: Connection[] = [];
    const opening = async (): Promise<void> => {
      opened.push(await Connection.open(address));
    };
    const stopped = await stop.each(opening, async () => undefined);
    expect(stopped).toBeGreaterThan(5);
    expect(opened).toHaveLength(1);
    opened[0]?.destroy();
  });

  it('has the time limit of each statement, where it was one that set a limit', async () => {
    const connection = await Connection.open(readMysqlUrl(mariadb().url));
    const limits: unknown[] = [];
    await stop.each(
      () => connection.limitStatements(3000),
      async () => {
        await connection.limitStatements(3000);
        limits.push(...(await connection.command('select @@max_statement_time')).flat());
      },
    );
    expect(limits).toEqual([4, 4]);
    connection.destroy();
  });

  // It asks by itself too: the tests above stop what no engine asks.
  describe('that an engine lends', () => {
    const states = new Set<string>();
    const note = ([row]: readonly unknown[]): unknown => states.add(String(row));
    let engine: Engine;
    let writer: Writer;
    let rows = 1500;
    beforeAll(async () => {
      writer = await createConnection(mariadb().url);
      engine = await open(mariadb().url, { models: { shown: { key: ['id'] } } });
      atRelease((connection) => {
        if (!(connection instanceof Connection) || !connection.alive) return;
        // It may be closed meanwhile.
        connection.command(STATE).then(note, () => undefined);
      });
    });
    afterAll(() => writer.end());

    it.each(READINGS)(
      'is given back as it was lent, whichever of %s it was',
      async (_, reading) => {
        const stopped = await stop.each(
          () => reading(engine),
          async () => {
            rows += 1;
            await writer.query(`insert into t values (${rows})`);
            const { page } = await ask(engine, { model: 'shown', attributes: ['id'] });
            expect(page.total).toBe(String(rows));
          },
        );
        expect(stopped).toBeGreaterThan(2);
        expect(states).toEqual(new Set(['0,1,REPEATABLE-READ']));
      },
    );
  });
});
