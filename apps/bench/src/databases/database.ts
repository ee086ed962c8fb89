/** The databases that are measured. */
export const DATABASES = ['postgres', 'mariadb', 'sqlite'] as const;
export type DatabaseName = (typeof DATABASES)[number];

export interface PageRequest {
  readonly page: number;
  readonly size: number;
}

export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement after another. */
export interface Connection {
  readonly run: (sql: string) => Promise<readonly Row[]>;
  readonly close: () => Promise<unknown>;
}

/** A page as JSON text, and the total where it was asked for. */
export interface RawPage {
  readonly rows: string;
  readonly total?: string;
}

/**
 * Reads pages with nothing but the driver, by `offset`, the way the service writes its statements.
 */
export type Pages = (table: string, request: PageRequest, isCounted: boolean) => Promise<RawPage>;

/** A program that prints a whole table as JSON lines on standard output. */
export interface ExportCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where tables are made. */
export interface Place {
  readonly url: string;
  /** The server that was started; none where a URL was given, or where there is no server. */
  readonly pid?: number | undefined;
  stop?(): Promise<void>;
}

/** What distinguishes one database from the others. */
export interface Product {
  readonly label: string;
  /** An expression that tells the version. */
  readonly version: string;
  connect(url: string): Promise<Connection>;
  /** A query for the numbers from 1 on, as `n`. */
  readonly numbers: (count: number) => string;
  /** The statements that make a table of five columns and its rows from numbers. */
  creation(table: string, numbers: string): readonly string[];
  /** The database's own way to print all rows. */
  exportCommand(url: string, table: string): ExportCommand;
  openPages(url: string): Pages;
}

/** The name of the table with so many rows, which is the model's name too. */
export function tableName(rows: number): string {
  return `items_${rows}`;
}

export const COLUMNS = ['id', 'created_at', 'name', 'amount', 'flag'] as const;

/** So many connections a pool of a baseline route has. */
export const POOL = 16;
