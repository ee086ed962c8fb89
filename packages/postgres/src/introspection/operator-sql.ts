import { type Field, type Introspection, Texts, type WireType } from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { isLost, sqlState } from '../connection/errors.ts';
import type { Work } from '../connection/running-work.ts';
import { quoted, textLiteral } from '../values/sql-text.ts';

type Refused = Introspection.Refused;

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
  name: 'PostgreSQL',
  words: { dollars: true, refused: '$\\' },
  types: Object.keys(TYPES),
  wider: {
    int32: ['int64', 'decimal'],
    int64: ['decimal'],
    enum: ['text'],
    uuid: ['text'],
    other: ['text'],
  },
  varying: /(?!)/,
  clocks: new RegExp(
    String.raw`\b(?:now|timeofday|(?:statement|transaction)_timestamp)\s*\(|` +
      String.raw`\b(?:current_(?:date|time|timestamp)|localtime|localtimestamp)\b|` +
      "'(?:now|today|tomorrow|yesterday)'",
    'i',
  ),
};

/** A volatile function that a text names. */
export async function volatileCall(asking: Asking, text: string): Promise<Refused | undefined> {
  const called = Texts.calledNames(text, RULES.words).map(textLiteral);
  if (called.length === 0) return undefined;
  const before = `select min(proname) from pg_proc
    where provolatile = 'v'
      and lower(regexp_replace(proname, '[^a-zA-Z0-9_]', '_', 'g')) in (${called.join(', ')})`;
  const found = await tried(asking, { before, text: '', after: '' });
  if ('problem' in found) return found;
  const [call] = found.row;
  return typeof call === 'string' ? Texts.varyingCall(call) : undefined;
}

type Answer = { readonly row: Row } | Refused;

/** As the service, or as the first role that may. */
export async function tried(
  { inTransaction, roles }: Asking,
  placed: Texts.PlacedSql,
): Promise<Answer> {
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
  placed: Texts.PlacedSql,
  ask: Parameters<Work<unknown>>[0],
): Promise<{ readonly answer: Answer; readonly isForbidden: boolean }> {
  const asked = (sql: string) => ask({ sql, parameters: [] });
  try {
    if (role !== undefined) await asked(`set local role ${quoted(role)}`);
    return { answer: { row: await asked(Texts.sqlOf(placed)) }, isForbidden: false };
  } catch (error) {
    if (isLost(error)) throw error;
    const isForbidden = sqlState(error) === INSUFFICIENT_PRIVILEGE;
    const { position, message } = Object(error) as { position?: string; message?: string };
    const place = Number(position) - placed.before.length;
    const where = place >= 1 && place <= placed.text.length ? `, at character ${place}` : '';
    return { answer: Texts.failed(`PostgreSQL says${where}: ${message}.`), isForbidden };
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';
