import { type RawBuilder, sql } from 'kysely';

import type { OrderTerm } from '../catalogue/model.ts';
import type { Dialect } from './dialect.ts';

/** A column as an order compares it. */
export function sortedColumn({ column, field }: OrderTerm, dialect: Dialect): RawBuilder<unknown> {
  const stored = sql.id('t', column);
  return field === undefined ? stored : (dialect.comparable?.(stored, field) ?? stored);
}
