import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import {
  type Connection,
  type DatabaseName,
  type ExportCommand,
  type Place,
  tableName,
} from './database.ts';
import { PRODUCTS } from './products.ts';
import { STARTS } from './start.ts';

const exec = promisify(execFile);

/** A database with tables of 5 columns, which goes with everything in it when it is closed. */
export interface BenchDatabase extends Connection, Pick<Place, 'url' | 'pid'> {
  readonly name: DatabaseName;
  /** What the server says of itself, such as `PostgreSQL 15.18`. */
  readonly version: string;
  /** Lets the database itself make a table; the data depend on nothing but the number of rows. */
  createTable(rows: number): Promise<void>;
  /** The database's own way to print all rows; undefined where its program is not installed. */
  exportCommand(rows: number): Promise<ExportCommand | undefined>;
}

/**
 * Opens a database for measuring: at a place, or else one that is started for this run alone. No
 * table is left behind.
 */
export async function openTables(name: DatabaseName, at?: Place): Promise<BenchDatabase> {
  const product = PRODUCTS[name];
  const place = at ?? (await STARTS[name]());
  const { url, pid } = place;
  const { run, close } = await product.connect(url);
  const [row] = await run(`select ${product.version} as version`);
  const tables: string[] = [];
  return {
    name,
    url,
    pid,
    run,
    version: `${product.label} ${String(row?.['version'])}`,
    createTable: async (rows) => {
      const table = tableName(rows);
      tables.push(table);
      await run(`drop table if exists ${table}`);
      for (const statement of product.creation(table, product.numbers(rows))) await run(statement);
    },
    exportCommand: async (rows) => {
      const command = product.exportCommand(url, tableName(rows));
      const looked = exec('sh', ['-c', 'command -v "$0"', command.command]);
      return looked.then(
        () => command,
        () => undefined,
      );
    },
    close: async () => {
      if (at !== undefined) for (const table of tables) await run(`drop table if exists ${table}`);
      await close();
      await place.stop?.();
    },
  };
}

/** Does some work on a database that is started for it. */
export async function withDatabase(
  name: DatabaseName,
  work: (database: BenchDatabase) => Promise<void>,
): Promise<void> {
  const database = await openTables(name);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

/** Does some work on a database that is started for it, with one table. */
export async function withTable(
  name: DatabaseName,
  rows: number,
  work: (database: BenchDatabase) => Promise<void>,
): Promise<void> {
  await withDatabase(name, async (database) => {
    await database.createTable(rows);
    await work(database);
  });
}
