import { hasProgram } from '../processes/program.ts';
import {
  type Connection,
  type DatabaseName,
  type ExportCommand,
  type PageRequest,
  type Place,
  type Row,
  tableName,
} from './database.ts';
import { PRODUCTS } from './products.ts';
import { STARTS } from './start.ts';

/** A record as every subject has to deliver it. */
export interface Item {
  readonly id: string;
  readonly created_at: string;
  readonly name: string;
  readonly amount: string;
  readonly flag: boolean;
}

/** The database's own answer, by which subjects are judged. */
export interface TruePage {
  readonly items: readonly Item[];
  readonly total: string;
}

/** A database with tables of 5 columns, which goes with everything in it when it is closed. */
export interface BenchDatabase extends Connection, Pick<Place, 'url' | 'pid'> {
  readonly name: DatabaseName;
  /** What the server says of itself, such as `PostgreSQL 15.18`. */
  readonly version: string;
  /** Lets the database itself make a table; the data depend on nothing but the number of rows. */
  createTable(rows: number): Promise<void>;
  /** The page as plain columns, and the total: by other statements than the subjects send. */
  truePage(rows: number, request: PageRequest): Promise<TruePage>;
  /** The database's own way to print all rows; undefined where its program is not installed. */
  exportCommand(rows: number): Promise<ExportCommand | undefined>;
}

/**
 * Opens a database for measuring: at a place, or else one that is started for this run alone. No
 * table is left behind.
 */
export async function openTables(name: DatabaseName, at?: Place): Promise<BenchDatabase> {
  const product = PRODUCTS[name];
  const { url, pid, stop } = at ?? (await STARTS[name]());
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
    truePage: async (rows, { page, size }) => {
      const table = tableName(rows);
      const items = await run(
        `select ${product.texts} from ${table} order by ${table}.id ` +
          `limit ${size} offset ${(page - 1) * size}`,
      );
      const [counted] = await run(`select count(*) as total from ${table}`);
      return { items: items.map(itemOf), total: String(counted?.['total']) };
    },
    exportCommand: async (rows) => {
      const command = product.exportCommand(url, tableName(rows));
      return (await hasProgram(command.command)) ? command : undefined;
    },
    close: async () => {
      if (at !== undefined) for (const table of tables) await run(`drop table if exists ${table}`);
      await close();
      await stop?.();
    },
  };
}

/** Completes a row in which the database has written all but the flag. */
function itemOf({ id, created_at, name, amount, flag }: Row): Item {
  const texts = {
    id: String(id),
    created_at: String(created_at),
    name: String(name),
    amount: String(amount),
  };
  return { ...texts, flag: flag === 1 || flag === true };
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
