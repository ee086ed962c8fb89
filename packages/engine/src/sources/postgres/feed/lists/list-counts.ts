import { sql } from 'kysely';

import { listedAs } from '../../../../sql/clauses/column-of.ts';
import { compile } from '../../../../sql/compile/compile.ts';
import type { Dialect } from '../../../../sql/dialect.ts';
import type { Statement } from '../../../../sql/statement.ts';
import type { Row } from '../../connection/connection.ts';
import { countWhere, inStatements, type RowFilter } from './row-filter.ts';
import type { KeyedRelation } from './touched-rows.ts';

/**
 * Statements that count the rows of several lists in one go. For the orders of two customers:
 *
 *     select count(*) filter (where ("t"."customer" in (1))), count(*) filter (where …)
 *     from "shop"."orders" as "t" where ("t"."customer" in (1)) or (…)
 *
 * Without the last line no index of the database would be of use.
 */
export class ListCounts {
  readonly statements: readonly Statement[];
  readonly #filters: readonly RowFilter[];

  constructor(
    { path }: Pick<KeyedRelation, 'path'>,
    filters: readonly RowFilter[],
    dialect: Dialect,
  ) {
    this.#filters = filters;
    const rows = listedAs(sql.id(...path));
    this.statements = inStatements(filters, (filter) => filter).flatMap((some) => {
      if (some.length === 0) return [];
      const counts = sql.join(some.map(countWhere));
      const met = some.map((filter) => sql`(${filter.sql})`);
      const statement = sql`select ${counts} from ${rows} where ${sql.join(met, sql` or `)}`;
      return [compile(statement, dialect, [path])];
    });
  }

  /** What the statements answered. */
  read(rows: readonly Row[]): ReadonlyMap<RowFilter, bigint> {
    const counts = rows.flat();
    return new Map(this.#filters.map((filter, place) => [filter, BigInt(counts[place] ?? 0)]));
  }
}
