import { type Field, type Introspection, Texts, type WireType } from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { isLost, sqlState } from '../connection/errors.ts';
import type { Work } from '../connection/running-work.ts';
import { quoted, textLiteral } from '../values/sql-text.ts';

export interface Asking {
  /** Runs the work in a transaction of its own. */
  readonly inTransaction: <Value>(work: Work<Value>) => Promise<Value>;
  /** Who may read what the service may not. */
  readonly roles: readonly string[];
}

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
  const called = Texts.calledNames(text, RULES.words).map(textLiteral);
  const sql = `select min(proname) from pg_proc
    where provolatile = 'v'
      and lower(regexp_replace(proname, '[^a-zA-Z0-9_]', '_', 'g'))
        in (${[...called, "''"].join(', ')})`;
  return { before: '', text: '', sql };
}

/** A domain may be over another one. */
export function baseOf(type: string): string {
  return `(with recursive bases (id, base) as (
    select oid, typbasetype from pg_type where oid = ${type}
    union all select t.oid, t.typbasetype from bases join pg_type t on t.oid = bases.base
  ) select id from bases where base = 0)`;
}

/** A statement with a text of the operator in it. */
export interface Placed {
  readonly before: string;
  readonly text: string;
  readonly sql: string;
}

type Answer = { readonly row: Row } | Introspection.Refused;

/** As the service, or as the first role that may. */
export async function tried({ inTransaction, roles }: Asking, placed: Placed): Promise<Answer> {
  const asService = await inTransaction((ask) => triedAs(undefined, placed, ask));
  if (!asService.isForbidden) return asService.answer;
  for (const role of roles) {
    const asRole = await inTransaction((ask) => triedAs(role, placed, ask));
    if (!asRole.isForbidden) return asRole.answer;
  }
  return asService.answer;
}

/** With the server's own error, which says where in the statement. */
async function triedAs(
  role: string | undefined,
  { before, text, sql }: Placed,
  ask: Parameters<Work<unknown>>[0],
): Promise<{ readonly answer: Answer; readonly isForbidden: boolean }> {
  const asked = (one: string) => ask({ statement: { sql: one, parameters: [] }, named: false });
  try {
    if (role !== undefined) await asked(`set local role ${quoted(role)}`);
    return { answer: { row: await asked(sql) }, isForbidden: false };
  } catch (error) {
    if (isLost(error)) throw error;
    const isForbidden = sqlState(error) === INSUFFICIENT_PRIVILEGE;
    return { answer: failed(error, before.length, text), isForbidden };
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

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
