import {
  type Asked,
  bind,
  type Found,
  type SortEstimate,
  type Template,
  Tracing,
} from '@proj/engine/database';

import type { Session } from './session.ts';
import { sqliteFacts } from './snapshot.ts';

/** A guess, since SQLite knows no widths: a key with its place in the sort. */
const KEY_BYTES = 200;

export function readKeys(session: Session, keys: Asked<'keys'>): Found<'keys'>['rows'] {
  session.database.exec('pragma temp_store = memory');
  return run(session, keys.keys, keys);
}

/** SQLite says that it sorts, not how many rows: of equal first values none above the limit. */
export function estimateSort(session: Session, keys: Asked<'keys'>): SortEstimate {
  const { sql, ...rest } = keys.rows;
  const steps = run(session, { sql: `explain query plan ${sql}`, ...rest }, keys);
  const sorts = steps.map((step) => String(step.at(-1))).filter((step) => SORT.test(step));
  const { key, size } = keys.bindings;
  const areOfOneValue = keys.maySort && key.length > 0;
  const most = areOfOneValue || sorts.every((sort) => SORT_OF_LAST.test(sort)) ? size : Infinity;
  return {
    rows: sorts.length === 0 ? 0 : most,
    rowBytes: KEY_BYTES,
    memoryBytes: Infinity,
  };
}

const SORT = /^USE TEMP B-TREE/;
const SORT_OF_LAST = /^USE TEMP B-TREE FOR LAST/;

function run(session: Session, template: Template, { bindings }: Asked<'keys'>): unknown[][] {
  const { size: limit, ...rest } = bindings;
  const statement = bind(template, { limit, ...rest });
  const { sql, parameters } = statement;
  return Tracing.traceSync(sqliteFacts(statement), () => {
    return session.prepare(sql).all(...(parameters as bigint[])) as unknown as unknown[][];
  });
}
