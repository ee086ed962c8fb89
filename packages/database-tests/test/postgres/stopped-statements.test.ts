import type { Engine } from '@proj/engine';
import type { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';

import { Connection } from '../../../postgres/src/connection/connection.ts';
import { atRelease, READINGS, StatementStop } from '../every-statement.ts';
import { ask, open } from '../open.ts';
import { connect, usePostgres } from './server.ts';

const SQL = `create table t (id int primary key);
  insert into t select generate_series(1, 1500);`;

/** As `pg_cancel_backend` does. */
const STOPPED = `do $$ begin raise exception sqlstate '57014'; end $$`;

describe('a connection of PostgreSQL one of whose statements was stopped', () => {
  const postgres = usePostgres(SQL);
  const stop = new StatementStop();
  const states = new Set<boolean>();
  let engine: Engine;
  let writer: Client;
  let rows = 1500;
  beforeAll(async () => {
    writer = await connect(postgres().url);
    engine = await open(postgres().url);
    stop.in(Connection, ['command', 'query', 'rows'], (connection) => connection.command(STOPPED));
    atRelease((connection) => {
      if (connection instanceof Connection) states.add(connection.needsRollback());
    });
  });

  it.each(READINGS)('is given back as it was lent, whichever of %s it was', async (_, reading) => {
    const stopped = await stop.each(
      () => reading(engine),
      async () => {
        rows += 1;
        await writer.query(`insert into t values (${rows})`);
        const { page } = await ask(engine, { model: 't', attributes: ['id'] });
        expect(page.total).toBe(String(rows));
      },
    );
    expect(stopped).toBeGreaterThan(0);
    expect(states).toEqual(new Set([false]));
  });
});
