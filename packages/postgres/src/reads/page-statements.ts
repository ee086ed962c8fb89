import {
  type Clauses,
  columnOf,
  COUNT,
  type Expression,
  type Field,
  LIMIT,
  OFFSET,
  Reads,
  sqlBlock,
  type WireType,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { encode } from '../values/encode.ts';
import { textLiteral } from '../values/sql-text.ts';

export const JSON_TEXTS = Reads.joinedTexts(encode, (text) => sql.raw(textLiteral(text)));

/** A JSON text a row. The total is of these very rows, whatever state a count would see. */
export function selectRecords({ fields, from, where, order, total }: Clauses['list']): Expression {
  const columns = fields.map((field, index) => sql`${columnOf(field)} as ${sql.id(`c${index}`)}`);
  const counted = total === undefined ? sql`` : sql`, count(*) over () as ${sql.id('total')}`;
  const shown = total === undefined ? sql`` : sql`, ${sql.id('total')}`;
  return sqlBlock`
    select ${JSON_TEXTS.record(fields)}${shown}
    from (
      select ${sql.join(columns)}${counted}
      from ${from}${where}
      order by ${order}
    ) as ${sql.id('p')}`;
}

/** Types whose JSON text does not depend on session settings. */
const OF_ANY_SESSION: ReadonlySet<WireType> = new Set([
  'text',
  'int32',
  'int64',
  'decimal',
  'boolean',
  'uuid',
  'date',
  'timestamp',
  'timestamp_tz',
  'json',
]);

/** One JSON text a row. Citus would first store a limited subquery, at several times the cost. */
export function selectRecordsOfServers(
  fields: readonly Field[],
  { from, where, order, late, parts, oneMore = false }: Clauses['page'],
): Expression | undefined {
  const isSame = fields.every(
    ({ type, databaseType }) => OF_ANY_SESSION.has(type) && databaseType !== 'money',
  );
  if (!isSame || late !== undefined || parts !== undefined || oneMore) return undefined;
  return sqlBlock`
    select ${JSON_TEXTS.record(fields, columnOf)}
    from ${from}${where}
    order by ${order}
    limit ${LIMIT} offset ${OFFSET}`;
}

/** The count runs only where the page does not prove the total, or does not pass the limit. */
export function selectAtOnce(
  rows: Expression,
  { numbers: [count, ...others], oneMore = false, shortPageProof }: Clauses['atOnce'],
): Expression {
  const [page, read] = [sql.id('r'), sql.id('r', 'rows')];
  const [limit, offset] = [sql`${LIMIT}::int8`, sql`${OFFSET}::int8`];
  const isBeyond = sql`${read} > 0 and ${offset} + ${read} >= ${COUNT}::int8`;
  const isEnd = sql`${read} < ${limit} and (${read} > 0 or ${offset} = 0)`;
  const isKnown = oneMore ? sql`${isEnd} or ${isBeyond}` : isEnd;
  const total = shortPageProof ? sql`case when ${isKnown} then null else ${count} end` : count;
  return sqlBlock`
    select ${sql.join([sql`${page}.*`, total, ...others])}
    from (${rows}) as ${page}`;
}

/** One JSON text: for each key its texts and its place. */
export function selectKeys(
  { rows, keys, step }: Clauses['keys'],
  versionColumn: Expression,
): Expression {
  const number = sql.id('n');
  const list = sql`json_agg(json_build_array(${sql.join(keys)}, ${number}) order by ${number})`;
  return sqlBlock`
    select coalesce(${list}, '[]')::text as ${sql.id('keys')}, ${versionColumn}
    from (${Reads.numberedRows(rows, sql`()`)}) as ${sql.id('k')}
    where ${number} % ${sql.lit(step)} = ${OFFSET} or ${sql.id('last')}`;
}
