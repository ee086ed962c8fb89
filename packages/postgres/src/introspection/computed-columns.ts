import { type Field, Introspection, Texts, type WireType } from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { encodingOf } from '../values/encodings.ts';
import { quoted } from '../values/sql-text.ts';
import { type CatalogueType, extremesOf, wireTypeOf } from '../values/wire-types.ts';
import {
  baseOf,
  calledBy,
  type Asking,
  NO_COLLATION,
  type Placed,
  RULES,
  tried,
  TYPES,
} from './operator-sql.ts';

type Asked = Introspection.AskedColumn;
type Described = Introspection.DescribedColumn;

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

export async function describeComputed(
  columns: readonly Asked[],
  asking: Asking,
): Promise<Described[]> {
  const described: Described[] = [];
  for (const column of columns) described.push(await describeOne(column, asking));
  return described;
}

async function describeOne(asked: Asked, asking: Asking): Promise<Described> {
  const refused = Texts.refusedColumn(asked, RULES);
  if (refused !== undefined) return refused;
  const { sql, type = 'other', isOfRow, isOwn = false } = asked;
  const rows = rowsOf(asked);
  for (const statement of isOwn ? [] : [conditionOf(sql, rows), calledBy(sql)]) {
    const found = await tried(asking, statement);
    if ('problem' in found) return found;
    const [call] = found.row;
    if (call != null) return Texts.varyingCall(call);
  }
  const answer = await tried(asking, factsOf(sql, rows));
  return 'problem' in answer ? answer : columnOf(answer.row, { sql, type, isOfRow });
}

function columnOf(
  [text]: Row,
  { sql, type, isOfRow }: Pick<Asked, 'sql' | 'isOfRow'> & { readonly type: WireType },
): Described {
  const { version, encoding, type: found, collation } = JSON.parse(text ?? '{}') as Facts;
  const { type: actual } = wireTypeOf(found, null);
  if (actual !== type && WIDER[actual]?.includes(type) !== true) return otherType(actual, type);
  if (type === 'text' && collation === null) return NO_COLLATION;
  const own = (found.built_in ? OWN_TYPES[found.name] : undefined) ?? TYPES[type] ?? '';
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

/** Neither aggregates nor sets of rows are part of a condition. */
function conditionOf(text: string, rows: string): Placed {
  const before = `select null from ${rows} where (`;
  return { before, text, sql: `${before}${text}\n) is not null limit 0` };
}

function rowsOf({ relation, selection }: Asked): string {
  const rows = selection?.sql;
  return `${rows === undefined ? relation.map(quoted).join('.') : `(${rows})`} as "t"`;
}

/** The text is in a scalar subquery without rows: nothing is computed. */
function factsOf(text: string, rows: string): Placed {
  const before = 'with found as (select pg_typeof(x.v)::oid as type, x.v from (select (select (';
  const sql = `${before}${text}
) from ${rows} limit 0) as v) as x)
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
join pg_type b on b.oid = ${baseOf('f.type')}`;
  return { before, text, sql };
}

function otherType(actual: WireType, type: WireType): Described {
  return {
    problem: `PostgreSQL computes values of type ${actual}, not ${type}.`,
    remedy: `Write "type: ${actual}", or cast it in the expression.`,
  };
}
