import type { DatabaseName, Product } from './database.ts';
import { MARIADB } from './mariadb.ts';
import { POSTGRES } from './postgres.ts';
import { SQLITE } from './sqlite.ts';

export const PRODUCTS: Readonly<Record<DatabaseName, Product>> = {
  postgres: POSTGRES,
  mariadb: MARIADB,
  sqlite: SQLITE,
};
