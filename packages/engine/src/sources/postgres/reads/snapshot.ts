import { minifyJson } from '../../text/minify-json.ts';
import type { Field } from '../../../catalogue/field.ts';
import type { RowsStatement } from '../../../sql/query-statements.ts';
import { bind, type Statement } from '../../../sql/statement.ts';
import { DEEP_OFFSET } from '../../reads/page.ts';
import type { RowsRead, Snapshot } from '../../source.ts';
import type { Row } from '../connection/connection.ts';
import type { Ask, SessionStatement } from '../connection/running-work.ts';

/**
 * The one snapshot that a transaction at REPEATABLE READ has for all of its statements.
 *
 * @param version reads the version of the data
 */
export function snapshotOf(ask: Ask, version: Statement): Snapshot {
  return {
    rows: async (read) => rowsOf(await ask(rowsStatement(read)), read.fields),
    count: async (statement, named = false) => countOf(await ask({ statement, named })),
    row: async (statement, named = false) => {
      const row = await ask({ statement, named });
      return row.length === 0 ? undefined : row;
    },
    version: async () => (await ask({ statement: version, named: false }))[0] ?? undefined,
  };
}

/**
 * Of a statement that it keeps, a session makes one plan for any page as soon as the plans for
 * single pages cost no less. After a walk through deep pages they do, and a large table's first
 * page would then be sorted out of the whole. So deep pages are planned each time, which next to
 * reading them costs nothing.
 */
export function rowsStatement({
  statement,
  bindings: { size: limit, ...rest },
}: RowsStatement): SessionStatement {
  return {
    statement: bind(statement, { limit, ...rest }),
    named: rest.offset <= DEEP_OFFSET,
  };
}

export function rowsOf([json, rows, version]: Row, fields: readonly Field[]): RowsRead {
  const text = typeof json === 'string' && fields.some(holdsJson) ? minifyJson(json) : json;
  return { json: text ?? undefined, rows: Number(rows), version: version ?? undefined };
}

/** The JSON text of a record that came in a row of its own. */
export function recordOf(text: Row[number] | undefined, fields: readonly Field[]): string {
  const record = text ?? 'null';
  return fields.some(holdsJson) ? minifyJson(record) : record;
}

export function countOf([count]: Row): bigint {
  return BigInt(count ?? 0);
}

/** White space inside a JSON column travels from no database. */
function holdsJson({ type, items }: Field): boolean {
  return type === 'json' || items === 'json';
}
