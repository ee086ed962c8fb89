import {
  type Asked,
  bind,
  type Found,
  type ReadCall,
  type SortEstimate,
  type Statement,
} from '@proj/engine/database';

import type { Database } from '../connection/database.ts';
import type { StampedRead } from './stamped-read.ts';
import type { Ask } from '../connection/running-work.ts';
import { indexConditions, keptRows } from './kept-rows.ts';

/** In the background: no parallel workers, and spare `work_mem` for underestimated sorts. */
const RESTRAINTS = [`set local max_parallel_workers_per_gather = 0`, `set local work_mem = '64MB'`];

/** The planner then sorts only what no index orders. */
export const SORT_LAST = 'set local enable_sort = off';

const WORK_MEM: Statement = {
  parameters: [],
  sql: `select pg_size_bytes(current_setting('work_mem'))`,
};

/**
 * A tuple with its header and its place in an array that doubles. A limited sort collects twice the
 * limit: https://github.com/postgres/postgres/blob/REL_15_STABLE/src/backend/utils/sort/tuplesort.c
 */
function bytesOfTuple(width: number): number {
  return 2 * (width + 64);
}

export function readKeys(
  database: Database,
  { stamped, ...keys }: Asked<'keys'> & { readonly stamped: StampedRead | undefined },
  call: ReadCall,
): Promise<Found<'keys'>> {
  const { session } = keys.keys;
  if (session !== undefined && session.cut.length > 0 && session.role === undefined)
    return readKeysOfServers(database, keys, call);
  return database.versioned(async (noted) => {
    const { row, stamp } = await database.inSnapshot(
      async (ask) => {
        await prepare(ask, { ...keys, lock: stamped?.lock ?? keys.lock });
        const taken = stamped === undefined ? [] : await ask(stamped.stamp);
        return {
          row: await ask(bindKeys(keys.keys, keys)),
          stamp: taken,
        };
      },
      { ...noted, isQuick: true },
    );
    const [rows, seen] = row;
    const version = (await stamped?.moment(stamp))?.version ?? seen ?? undefined;
    return { rows: keyRows(rows), version };
  }, call);
}

/** One key a row: Citus would store them all before numbering. */
function readKeysOfServers(
  database: Database,
  keys: Asked<'keys'>,
  call: ReadCall,
): Promise<Found<'keys'>> {
  return database.versioned(async (noted) => {
    const rows = await database.inSnapshot(
      async (ask, askRows) => {
        await prepare(ask, keys);
        const read: unknown[][] = [];
        await askRows(bindKeys(keys.rows, keys), (row) => {
          read.push([...row, read.length]);
          return undefined;
        });
        return read;
      },
      { ...noted, isQuick: true },
    );
    return { rows, version: undefined };
  }, call);
}

export function keyRows(text: string | null | undefined): unknown[][] {
  return JSON.parse(text ?? '[]') as unknown[][];
}

/**
 * Explains the statement under its own settings. With policies, PostgreSQL searches no index by an
 * operator that may leak hidden rows, as those of `numeric` and enums.
 */
export function estimateSort(
  database: Database,
  keys: Asked<'keys'>,
  call: ReadCall,
): Promise<SortEstimate> {
  return database.inSnapshot(async (ask) => {
    const [workMem] = await ask(WORK_MEM);
    await prepare(ask, keys);
    const { sql, parameters } = bindKeys(keys.rows, keys);
    const [plan] = await ask({ sql: `explain (format json) ${sql}`, parameters });
    const { rows, width } = keptRows(plan ?? '[]');
    const sort = { rows, rowBytes: bytesOfTuple(width), memoryBytes: Number(workMem) };
    return call.session === undefined
      ? sort
      : { ...sort, conditions: indexConditions(plan ?? '[]') };
  }, call);
}

/** The next statement takes the snapshot, which settings and a lock do not. */
async function prepare(ask: Ask, { lock, maySort }: Asked<'keys'>): Promise<void> {
  const settings = maySort ? RESTRAINTS : [...RESTRAINTS, SORT_LAST];
  const statements = settings.map((sql) => ({ sql, parameters: [] }));
  await Promise.all([...statements, ...(lock === undefined ? [] : [lock])].map(ask));
}

export function bindKeys(template: Asked<'keys'>['keys'], { bindings }: Asked<'keys'>): Statement {
  const { size: limit, ...rest } = bindings;
  return bind(template, { limit, ...rest });
}
