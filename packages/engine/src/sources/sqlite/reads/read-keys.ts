import type { KeysStatement } from '../../../sql/query-statements.ts';
import { bind, type Template } from '../../../sql/statement.ts';
import { traceSync } from '../../../tracing.ts';
import type { KeysRead, SortEstimate } from '../../source.ts';
import type { Session } from './session.ts';
import { sqliteFacts } from './snapshot.ts';

/** A guess, since SQLite knows no widths: a key with its place in what is sorted. */
const KEY_BYTES = 200;

/** Reads keys; what has to be sorted is sorted in memory. */
export function readKeys(session: Session, keys: KeysStatement): KeysRead['rows'] {
  session.database.exec('pragma temp_store = memory');
  return run(session, keys.keys, keys);
}

/** SQLite says that it sorts, and not how many rows: https://sqlite.org/eqp.html */
export function estimateSort(session: Session, keys: KeysStatement): SortEstimate {
  const { sql, ...rest } = keys.rows;
  const steps = run(session, { sql: `explain query plan ${sql}`, ...rest }, keys);
  const sorts = steps.some((step) => String(step.at(-1)).startsWith('USE TEMP B-TREE'));
  return { rows: sorts ? Infinity : 0, rowBytes: KEY_BYTES, memoryBytes: Infinity };
}

function run(session: Session, template: Template, { bindings }: KeysStatement): unknown[][] {
  const { size: limit, ...rest } = bindings;
  const statement = bind(template, { limit, ...rest });
  const { sql, parameters } = statement;
  return traceSync(sqliteFacts(statement), () => {
    return session.prepare(sql).all(...(parameters as bigint[])) as unknown as unknown[][];
  });
}
