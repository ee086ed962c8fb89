import {
  type Asked,
  bind,
  type Found,
  type ReadCall,
  Reads,
  type SortEstimate,
  type Statement,
} from '@proj/engine/database';

import type { Database } from '../connection/database.ts';
import type { StampedRead } from './stamped-read.ts';
import { type Ask, inOrder, type Work } from '../connection/running-work.ts';
import { indexConditions, keptRows } from './kept-rows.ts';
import { readTogether } from './read-page.ts';

/** In the background: no parallel workers, and spare `work_mem` for underestimated sorts. */
const RESTRAINTS = [`set local max_parallel_workers_per_gather = 0`, `set local work_mem = '64MB'`];

/** The planner then sorts only what no index orders. */
export const SORT_LAST = 'set local enable_sort = off';

const WORK_MEM: Statement = {
  parameters: [],
  sql: `select pg_size_bytes(current_setting('work_mem'))`,
};

export function readKeys(
  database: Database,
  { stamped, ...keys }: Asked<'keys'> & { readonly stamped: StampedRead | undefined },
  call: ReadCall,
): Promise<Found<'keys'>> {
  const { cut = [], role } = keys.keys.session ?? {};
  const read = cut.length > 0 && role === undefined ? keysOfServers : keysOf;
  const work: Work<Found<'keys'>> = async (ask, askRows) =>
    (await inOrder([restrain(ask, keys), read(keys, ask, askRows)]))[1];
  return readTogether(database, { lock: keys.lock, stamped, work }, { ...call, isQuick: true });
}

async function keysOf(keys: Asked<'keys'>, ask: Ask): Promise<Found<'keys'>> {
  const [rows, version] = await ask(bindKeys(keys.keys, keys));
  return { rows: keyRows(rows), version: version ?? undefined };
}

/** One key a row: Citus would store them all before numbering. */
async function keysOfServers(
  keys: Asked<'keys'>,
  ...[, askRows]: Parameters<Work<unknown>>
): Promise<Found<'keys'>> {
  const rows: unknown[][] = [];
  await askRows(bindKeys(keys.rows, keys), (row) => {
    rows.push([...row, rows.length]);
    return undefined;
  });
  return Reads.unversioned({ rows });
}

export function keyRows(text: string | null | undefined): unknown[][] {
  return JSON.parse(text ?? '[]') as unknown[][];
}

/** With policies, PostgreSQL uses no index by operators that may leak hidden rows (`numeric`). */
export function estimateSort(
  database: Database,
  keys: Asked<'keys'>,
  call: ReadCall,
): Promise<SortEstimate> {
  return database.inSnapshot(async (ask) => {
    const [workMem] = await ask(WORK_MEM);
    await restrain(ask, keys);
    if (keys.lock !== undefined) await ask(keys.lock);
    const { sql, parameters } = bindKeys(keys.rows, keys);
    const [plan] = await ask({ sql: `explain (format json) ${sql}`, parameters });
    const { rows, width } = keptRows(plan ?? '[]');
    // A tuple with its header, its place in an array that doubles, and a limited sort's second.
    const rowBytes = 2 * (width + 64);
    const sort = { rows, rowBytes, memoryBytes: Number(workMem) };
    return call.session === undefined
      ? sort
      : { ...sort, conditions: indexConditions(plan ?? '[]') };
  }, call);
}

/** Takes no snapshot. */
function restrain(ask: Ask, { maySort }: Asked<'keys'>): Promise<unknown> {
  const settings = maySort ? RESTRAINTS : [...RESTRAINTS, SORT_LAST];
  return inOrder(settings.map((sql) => ask({ sql, parameters: [] })));
}

export function bindKeys(template: Asked<'keys'>['keys'], { bindings }: Asked<'keys'>): Statement {
  const { size: limit, ...rest } = bindings;
  return bind(template, { limit, ...rest });
}
