import type { DatabaseSync, StatementSync } from 'node:sqlite';

import {
  bind,
  type RowsRead,
  type RowsStatement,
  type Snapshot,
  type Statement,
  Tracing,
} from '@proj/engine/database';

export interface Connection {
  readonly database: Pick<DatabaseSync, 'exec' | 'isTransaction'>;
  prepare(sql: string): Pick<StatementSync, 'get' | 'iterate'>;
}

/** No later write changes the snapshot. No version: only one connection can compare those. */
export async function inSnapshot<Value>(
  connection: Connection,
  read: (snapshot: Snapshot) => Promise<Value>,
): Promise<Value> {
  const { database } = connection;
  database.exec('begin');
  try {
    return await read({
      rows: async (asked) => readRows(connection, asked),
      count: async (count) => BigInt(firstRow(connection, count)?.[0] ?? 0),
      row: async (statement) => firstRow(connection, statement),
      each: (statement, take) => eachRow(connection, statement, take),
      version: async () => undefined,
    });
  } finally {
    // Some errors end the transaction by themselves.
    if (database.isTransaction) database.exec('commit');
  }
}

function readRows(connection: Connection, { statement, bindings }: RowsStatement): RowsRead {
  const { size: limit, ...rest } = bindings;
  const row = firstRow(connection, bind(statement, { limit, ...rest })) ?? [];
  const [json, rows, ...numbers] = row as readonly [Cell, bigint, ...(bigint | null)[]];
  const text = json === null || json === undefined ? undefined : String(json);
  return { json: text, rows: Number(rows), version: undefined, numbers };
}

type Cell = string | number | bigint | null;

function firstRow(connection: Connection, statement: Statement): readonly Cell[] | undefined {
  const { sql, parameters } = statement;
  return Tracing.traceSync(sqliteFacts(statement), () => {
    const row: unknown = connection.prepare(sql).get(...(parameters as Cell[]));
    return row as readonly Cell[] | undefined;
  });
}

const eachRow = (
  connection: Connection,
  ...[statement, take]: Parameters<NonNullable<Snapshot['each']>>
): Promise<void> =>
  Tracing.traceStatement(sqliteFacts(statement), async () => {
    const { sql, parameters } = statement;
    const rows: Iterable<unknown> = connection.prepare(sql).iterate(...(parameters as Cell[]));
    for (const row of rows) {
      const taken = take(row as readonly Cell[]);
      if (taken !== undefined) await taken;
    }
  });

export function sqliteFacts({ sql, relations }: Statement): Tracing.StatementFacts {
  return { database: { system: 'sqlite' }, text: sql, relations };
}
