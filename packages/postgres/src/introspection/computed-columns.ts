import {
  type Field,
  Introspection,
  type Statement,
  Texts,
  type WireType,
} from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { isLost } from '../connection/errors.ts';
import type { Work } from '../connection/running-work.ts';
import { encodingOf } from '../values/encodings.ts';
import { quoted } from '../values/sql-text.ts';
import { type CatalogueType, extremesOf, wireTypeOf } from '../values/wire-types.ts';

type Asked = Introspection.AskedColumn;
type Described = Introspection.DescribedColumn;

/** Runs the work in a transaction of its own. */
type InTransaction = <Value>(work: Work<Value>) => Promise<Value>;

interface Facts {
  readonly version: number;
  readonly type: CatalogueType;
  readonly encoding: string;
  readonly collation: {
    readonly name: string;
    readonly exact: boolean;
    readonly isDefault: boolean;
  } | null;
}

/** The type that values of each wire type are computed as. */
const TYPES: Partial<Record<WireType, Field['databaseType']>> = {
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

/** A cast to those would lose digits, or change the text. */
const OWN_TYPES: Readonly<Record<string, Field['databaseType']>> = { float4: 'real', json: 'json' };

/** Types whose values are all among another's. */
const WIDER: Partial<Record<WireType, readonly WireType[]>> = {
  int32: ['int64', 'decimal'],
  int64: ['decimal'],
  enum: ['text'],
  uuid: ['text'],
  other: ['text'],
};

const WORDS: Texts.SqlWords = { dollars: true, refused: '$\\' };

export async function describeComputed(
  columns: readonly Asked[],
  inTransaction: InTransaction,
): Promise<Described[]> {
  const described: Described[] = [];
  for (const column of columns) described.push(await describeOne(column, inTransaction));
  return described;
}

async function describeOne(
  { relation, sql, type, isOfRow }: Asked,
  inTransaction: InTransaction,
): Promise<Described> {
  const databaseType = type && TYPES[type];
  if (type === undefined || databaseType === undefined) return noType(type);
  const refusal = Texts.refusedSql(sql, WORDS);
  if (refusal !== undefined) return refused(refusal);
  const { at, ...statement } = factsOf(sql, relation);
  const answer = await inTransaction((ask) => tried(ask({ statement, named: false })));
  if ('error' in answer) return failed(answer.error, at, sql);
  const [text] = answer.row;
  const { version, encoding, type: found, collation } = JSON.parse(text ?? '{}') as Facts;
  const { type: actual } = wireTypeOf(found, null);
  if (actual !== type && WIDER[actual]?.includes(type) !== true) return otherType(actual, type);
  if (type === 'text' && collation === null) return NO_COLLATION;
  const own = (found.built_in ? OWN_TYPES[found.name] : undefined) ?? databaseType;
  const isExact = collation?.exact !== false;
  return {
    type,
    databaseType: isExact ? own : `${own} collate ${collation?.name}`,
    extremes: extremesOf(version),
    encoding: encodingOf(encoding),
    ...(collation !== null && !collation.isDefault && { collation: collation.name }),
    computed: { sql: `(${sql}\n)::${own}`, isOfRow },
  };
}

/** With the server's own error, which says where in the statement. */
async function tried(
  asked: Promise<Row>,
): Promise<{ readonly row: Row } | { readonly error: unknown }> {
  try {
    return { row: await asked };
  } catch (error) {
    if (isLost(error)) throw error;
    return { error };
  }
}

/** The text is in a scalar subquery without rows: nothing is computed. */
function factsOf(text: string, relation: Asked['relation']): Statement & { readonly at: number } {
  const before = 'with found as (select pg_typeof(x.v)::oid as type, x.v from (select (select (';
  const sql = `${before}${text}
) from ${relation.map(quoted).join('.')} as "t" limit 0) as v) as x)
select json_build_object(
  'version', current_setting('server_version_num')::int,
  'encoding', current_setting('server_encoding'),
  'type', json_build_object(
    'name', b.typname,
    'kind', b.typtype,
    'built_in', b.typnamespace = 'pg_catalog'::regnamespace
  ),
  'collation', (
    select json_build_object(
      'name', quote_ident(s.nspname) || '.' || quote_ident(c.collname),
      'exact', c.collisdeterministic,
      'isDefault', c.collname = 'default'
    )
    from pg_collation c
    join pg_namespace s on s.oid = c.collnamespace
    where c.oid = case when b.typcollation <> 0 then to_regcollation(pg_collation_for(f.v)) end
  )
)::text
from found f
join pg_type t on t.oid = f.type
join pg_type b on b.oid = coalesce(nullif(t.typbasetype, 0), t.oid)`;
  return { sql, parameters: [], at: before.length };
}

function failed(error: unknown, at: number, text: string): Described {
  const { position, message } = Object(error) as { position?: string; message?: string };
  const place = Number(position) - at;
  const where = place >= 1 && place <= text.length ? `, at character ${place}` : '';
  const remedy =
    'Correct it. Its row is `t`: `t.price`, or `price` where nothing else has the name.';
  return { problem: `PostgreSQL says${where}: ${message}`, remedy };
}

function refused(why: string): Described {
  return { problem: `It ${why}.`, remedy: 'Write one expression over the columns of its row.' };
}

function noType(type: WireType | undefined): Described {
  const types = Object.keys(TYPES).join(', ');
  const problem = type === undefined ? 'It has no type.' : `No expression is of type ${type}.`;
  return { problem, remedy: `Add "type", one of: ${types}.` };
}

function otherType(actual: WireType, type: WireType): Described {
  return {
    problem: `PostgreSQL computes values of type ${actual}, not ${type}.`,
    remedy: `Write "type: ${actual}", or cast it in the expression.`,
  };
}

const NO_COLLATION: Described = {
  problem: 'PostgreSQL does not know which collation its texts have.',
  remedy: 'Add one to the expression, such as collate "C".',
};
