import { COLUMNS, type PageRequest, tableName } from '../tables/bench-database.ts';

/** The body of a query for all columns. */
export function queryBody(rows: number, page: PageRequest): string {
  return JSON.stringify({ query_model: tableName(rows), query_attributes: COLUMNS, page });
}
