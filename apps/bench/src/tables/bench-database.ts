import type { DatabaseName } from '../scenarios.ts';

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

export interface PageRequest {
  readonly page: number;
  readonly size: number;
}

/** A program that prints a whole table as JSON lines on standard output. */
export interface ExportCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A database with tables of 5 columns, which goes with everything in it when it is closed. */
export interface BenchDatabase {
  readonly name: DatabaseName;
  readonly url: string;
  /** What the server says of itself, such as `PostgreSQL 15.18`. */
  readonly version: string;
  /**
   * The server that was started for this run; none where a URL was given, or where there is no
   * server.
   */
  readonly pid: number | undefined;
  /** Lets the database itself make a table; the data depend on nothing but the number of rows. */
  createTable(rows: number): Promise<void>;
  /** Makes a view, which goes with its table. */
  createView(name: string, select: string): Promise<void>;
  /** The page as plain columns, and the total: by other statements than the subjects send. */
  truePage(rows: number, request: PageRequest): Promise<TruePage>;
  /** Runs a statement of one's own, and takes all of its rows. */
  run(statement: string): Promise<void>;
  /** The database's own way to print all rows; undefined where its program is not installed. */
  exportCommand(rows: number): Promise<ExportCommand | undefined>;
  close(): Promise<void>;
}

/** Completes a row in which the database has written all but the flag. */
export function itemOf({ id, created_at, name, amount, flag }: Record<string, unknown>): Item {
  const texts = {
    id: String(id),
    created_at: String(created_at),
    name: String(name),
    amount: String(amount),
  };
  return { ...texts, flag: flag === 1 || flag === true };
}

/** The name of the table with so many rows, which is the model's name too. */
export function tableName(rows: number): string {
  return `items_${rows}`;
}

export const COLUMNS = ['id', 'created_at', 'name', 'amount', 'flag'] as const;
