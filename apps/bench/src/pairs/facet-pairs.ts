import { API_PATHS } from '@proj/contract';

import { type DatabaseName, tableName } from '../databases/database.ts';
import type { Pair } from './pair.ts';

const VALUES = 20;
const BINS = 20;

/** Amounts are below this. */
const LARGEST_AMOUNT = 10_000;

/** What is compared over a table with so many rows. */
export function facetPairs(database: DatabaseName, rows: number): readonly Pair[] {
  const table = `${tableName(rows)} as o`;
  const pair = (label: string, facet: object, other: Pair['other']): Pair => ({
    label,
    goal: 1.2,
    path: API_PATHS.facets,
    members: { query_model: tableName(rows), query_facets: [facet] },
    other,
    end: `"total":"${rows}"}`,
  });
  const values = (attribute: string): Pair =>
    pair(`values of ${attribute}`, { attribute, values: VALUES }, (condition) => [
      `select ${attribute}, count(*) as n from ${table} where ${condition} ` +
        `group by ${attribute} order by n desc, ${attribute} limit ${VALUES}`,
    ]);
  const bins = (attribute: string, bin: string): Pair =>
    pair(`bins of ${attribute}`, { attribute, bins: BINS }, (condition) => [
      `select min(${attribute}), max(${attribute}) from ${table} where ${condition}`,
      `select ${bin} as bin, count(*) as n, sum(${attribute}) as s from ${table} ` +
        `where ${condition} group by ${bin}`,
    ]);
  const scaled = `amount * ${BINS} / ${LARGEST_AMOUNT}`;
  return [
    values('flag'),
    values('amount'),
    bins('id', `id * ${BINS} ${database === 'mariadb' ? 'div' : '/'} ${rows + 1}`),
    bins('amount', database === 'sqlite' ? `cast(${scaled} as integer)` : `floor(${scaled})`),
  ];
}
