import type { Statement, StatementSession } from '@proj/engine/database';
import { expect, it } from 'vitest';

import { Distribution } from './distribution.ts';

const PATH = ['public', 'orders'];
const WHOLE: Statement = { sql: 'select 1', parameters: [], relations: [PATH] };
const SESSION: StatementSession = {
  role: undefined,
  settings: {},
  lock: undefined,
  endsWithVersion: false,
  calls: [],
  readsUnlocked: false,
  cut: [PATH],
};

function found(...learned: { readonly isDistributed: boolean }[]): Distribution {
  const distribution = new Distribution();
  for (const { isDistributed } of learned)
    distribution.learn({
      tables: isDistributed ? '7' : '',
      relations: isDistributed ? [PATH] : [],
    });
  return distribution;
}

it('a read of a table that is whole is held to what was found', () => {
  const { sql } = found({ isDistributed: false }).guarded(WHOLE);
  expect(sql).toMatch('pg_dist_partition');
});

it('a read that was made before its table was found to be distributed fails', () => {
  const distribution = found({ isDistributed: false }, { isDistributed: true });
  expect(() => distribution.guarded(WHOLE)).toThrow(/has been distributed/);
  expect(distribution.guarded({ ...WHOLE, session: SESSION }).sql).toBe(WHOLE.sql);
});

it('a read whose table has been found to be distributed before is as it was', () => {
  for (const distribution of [
    found({ isDistributed: true }),
    found({ isDistributed: false }, { isDistributed: true }, { isDistributed: true }),
  ])
    expect(distribution.guarded(WHOLE)).toBe(WHOLE);
});

it('nothing is held to anything where the database has no Citus', () => {
  expect(new Distribution().guarded(WHOLE)).toBe(WHOLE);
});
