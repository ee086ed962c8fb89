import type { FeedStatus, FeedWatch } from '@proj/engine';
import { describe, expect, it, vi } from 'vitest';

import { feedOf, readFollowed, reportedOf, useFollowed } from './followed.ts';

const SQL = `
  create table notes (id int primary key, note text);
  create table others (id int primary key);
  create publication dynamic_query for table notes, others`;

const NOTES = ['public', 'notes'];

describe('the status of a change feed', () => {
  const followed = useFollowed(SQL);

  const feed = (): FeedWatch => feedOf(followed().source);

  function untilStatus(expected: Partial<FeedStatus>): Promise<void> {
    return vi.waitFor(() => expect(feed().status).toMatchObject(expected), {
      interval: 20,
      timeout: 20_000,
    });
  }

  it('is following from the first read on, with nothing between it and the server', async () => {
    await readFollowed(followed().source, NOTES);
    await untilStatus({
      state: 'following',
      reason: undefined,
      relations: 1,
      lagBytes: 0,
      lagSeconds: 0,
    });
    expect(feed().status.heldBackBytes).toBeLessThan(2 ** 24);
  });

  it('counts the transactions that changed what is followed, and what reads have waited', async () => {
    const { source, sql } = followed();
    const { transactions, waits } = feed().status;
    for (let id = 1; id <= 20; id++) {
      await sql.query(`insert into notes values (${id})`);
      await readFollowed(source, NOTES);
    }
    const { status } = feed();
    expect(status.transactions).toBeGreaterThanOrEqual(transactions + 20);
    expect(status.waits).toBeGreaterThanOrEqual(waits);
    expect(status.waitSeconds > 0).toBe(status.waits > 0);
  });

  it('reports each change once, with its reason, and counts the drop', async () => {
    const { source, sql } = followed();
    const reported = reportedOf(source);
    await sql.query('select pg_terminate_backend(pid) from pg_stat_replication');
    await vi.waitFor(() => expect(reported).toEqual(['stopped connection', 'following']), {
      interval: 20,
      timeout: 20_000,
    });
    await readFollowed(source, NOTES);
    expect(feed().status).toMatchObject({
      state: 'following',
      drops: new Map([['connection', 1]]),
    });
    expect(reported).toHaveLength(2);
  });

  it('stays stopped, with the reason, while the publication is gone', async () => {
    const { sql } = followed();
    await sql.query('drop publication dynamic_query');
    await sql.query('select pg_terminate_backend(pid) from pg_stat_replication');
    await untilStatus({ state: 'stopped', reason: 'no_publication', relations: 0, lagBytes: 0 });
    expect(feed().status.message).toBe('There is no publication dynamic_query.');
    await sql.query('create publication dynamic_query for table notes');
    await untilStatus({ state: 'following', message: undefined });
  });
});
