import { type Field, type Introspection, Texts, type WireType } from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { isLost } from '../connection/errors.ts';
import type { Work } from '../connection/running-work.ts';
import { textLiteral } from '../values/sql-text.ts';

/** Runs the work in a transaction of its own. */
export type InTransaction = <Value>(work: Work<Value>) => Promise<Value>;

/** The type that values of each wire type are computed as. */
export const TYPES: Partial<Record<WireType, Field['databaseType']>> = {
  text: 'text',
  int32: 'integer',
  int64: 'bigint',
  decimal: 'numeric',
  float64: 'double precision',
  boolean: 'boolean',
  uuid: 'uuid',
  date: 'date',
  time: 'time without time zone',
  timestamp: 'timestamp without time zone',
  timestamp_tz: 'timestamp with time zone',
  bytes: 'bytea',
  json: 'jsonb',
};

/** Volatile functions are looked up. */
export const RULES: Texts.OperatorRules = {
  words: { dollars: true, refused: '$\\' },
  types: TYPES,
  varying: /(?!)/,
  clocks: new RegExp(
    String.raw`\b(?:now|timeofday|(?:statement|transaction)_timestamp)\s*\(|` +
      String.raw`\b(?:current_(?:date|time|timestamp)|localtime|localtimestamp)\b|` +
      "'(?:now|today|tomorrow|yesterday)'",
    'i',
  ),
};

/** The first volatile function that a text names. */
export function calledBy(text: string): Placed {
  const names = Texts.plainSql(text, RULES.words).matchAll(/([\w$\u0080-\uffff]+)\s*\(/gu);
  const called = [...names].map(([, name = '']) => textLiteral(name.toLowerCase()));
  const sql = `select min(proname) from pg_proc
    where provolatile = 'v' and proname in (${[...called, "''"].join(', ')})`;
  return { before: '', text: '', sql };
}

/** A statement with a text of the operator in it. */
export interface Placed {
  readonly before: string;
  readonly text: string;
  readonly sql: string;
}

/** With the server's own error, which says where in the statement. */
export async function tried(
  inTransaction: InTransaction,
  { before, text, sql }: Placed,
): Promise<{ readonly row: Row } | Introspection.Refused> {
  const statement = { sql, parameters: [] };
  return inTransaction(async (ask) => {
    try {
      return { row: await ask({ statement, named: false }) };
    } catch (error) {
      if (isLost(error)) throw error;
      return failed(error, before.length, text);
    }
  });
}

function failed(error: unknown, at: number, text: string): Introspection.Refused {
  const { position, message } = Object(error) as { position?: string; message?: string };
  const place = Number(position) - at;
  const where = place >= 1 && place <= text.length ? `, at character ${place}` : '';
  const remedy = 'Correct it. Of an attribute, the row is `t`: `t.price`, or `price`.';
  return { problem: `PostgreSQL says${where}: ${message}.`, remedy };
}

export const NO_COLLATION: Introspection.Refused = {
  problem: 'PostgreSQL does not know which collation its texts have.',
  remedy: 'Add one to the expression, such as collate "C".',
};
