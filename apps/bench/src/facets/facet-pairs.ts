import type { DatabaseName } from '../scenarios.ts';
import { tableName } from '../tables/bench-database.ts';

/** A facet, and what a database is asked for the same by hand. */
export interface FacetPair {
  readonly label: string;
  /** As the contract has it. */
  readonly facet: object;
  /** The statements of those records whose id is at least so much. */
  readonly statements: (least: number) => readonly string[];
}

const VALUES = 20;
const BINS = 20;

/** Amounts are below this. */
const LARGEST_AMOUNT = 10_000;

/** A whole number divided by another one, rounded down. */
const DIVIDED: Readonly<Record<DatabaseName, string>> = {
  postgres: '/',
  mariadb: 'div',
  sqlite: '/',
};

/** What is compared over a table with so many rows. */
export function facetPairs(rows: number, database: DatabaseName): readonly FacetPair[] {
  const table = tableName(rows);
  const values = (attribute: string): FacetPair => ({
    label: `values of ${attribute}`,
    facet: { attribute, values: VALUES },
    statements: (least) => [
      `select ${attribute}, count(*) as n from ${table} where id >= ${least} ` +
        `group by ${attribute} order by n desc, ${attribute} limit ${VALUES}`,
    ],
  });
  const bins = (attribute: string, bin: string): FacetPair => ({
    label: `bins of ${attribute}`,
    facet: { attribute, bins: BINS },
    statements: (least) => [
      `select min(${attribute}), max(${attribute}) from ${table} where id >= ${least}`,
      `select ${bin} as bin, count(*) as n, sum(${attribute}) as s from ${table} ` +
        `where id >= ${least} group by ${bin}`,
    ],
  });
  const scaled = `amount * ${BINS} / ${LARGEST_AMOUNT}`;
  return [
    values('flag'),
    values('amount'),
    bins('id', `id * ${BINS} ${DIVIDED[database]} ${rows + 1}`),
    bins('amount', database === 'sqlite' ? `cast(${scaled} as integer)` : `floor(${scaled})`),
  ];
}
