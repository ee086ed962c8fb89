import type { PageRequest } from '../../tables/bench-database.ts';

/** A page as JSON text, and the total where it was asked for. */
export interface RawPage {
  readonly rows: string;
  readonly total?: string;
}

/**
 * Reads pages with nothing but the driver, by `offset`, the way the service writes its statements.
 */
export interface Pages {
  read(table: string, request: PageRequest): Promise<RawPage>;
  readWithTotal(table: string, request: PageRequest): Promise<RawPage>;
}

/** So many connections a pool of a baseline route has. */
export const POOL = 16;
