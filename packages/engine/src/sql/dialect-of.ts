import type { ListRows } from '../planning/list-rows.ts';
import type { Dialect } from './dialect.ts';

/**
 * The dialect for the rows of a list: one by which versions hold only while their relation is
 * defined so; for rows that vary, one whose statements each answer alone.
 */
export function dialectOf({ rows: { model }, facts }: ListRows, dialect: Dialect): Dialect {
  const { path, definition } = model;
  if (facts.varies !== undefined) return { ...dialect, ...dialect.varying };
  if (!facts.versioned || definition === undefined) return dialect;
  return dialect.whileDefined?.({ path, definition }) ?? dialect;
}
