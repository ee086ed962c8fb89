import { DatabaseSync } from 'node:sqlite';

import { cityTable } from './city-rows.ts';
import { countryTables } from './country-rows.ts';
import type { TableRows } from './rows.ts';
import { INDEXES, TABLES, VIEWS } from './schema.ts';
import { timeZoneTable } from './time-zone-rows.ts';

/** Share of the work that is done, 0 … 1. */
export type OnProgress = (done: number) => void;

const ROWS_PER_REPORT = 5000;
/** How far each step of the work goes, as measured; the rest is the copy to the disk. */
const ROWS_FROM = 0.3;
const ROWS_TO = 0.7;
const INDEXED = 0.9;

/**
 * Writes the demo database to a file that does not exist yet. It is made in memory and copied in
 * one go, so it comes out compact, and in the journal mode that a reader can open without writing
 * beside the file.
 */
export function writeDatabase(file: string, onProgress: OnProgress): void {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
  try {
    onProgress(ROWS_FROM);
    database.exec(TABLES);
    insertTables(database, [...countryTables(), timeZoneTable(), cityTable()], onProgress);
    database.exec(INDEXES + VIEWS);
    refuseDanglingReferences(database);
    database.exec('analyze');
    onProgress(INDEXED);
    database.prepare('vacuum into ?').run(file);
  } finally {
    database.close();
  }
}

function insertTables(
  database: DatabaseSync,
  tables: readonly TableRows[],
  onProgress: OnProgress,
): void {
  const total = tables.reduce((sum, { count }) => sum + count, 0);
  let inserted = 0;
  const report = () => {
    inserted += 1;
    if (inserted % ROWS_PER_REPORT === 0)
      onProgress(ROWS_FROM + (inserted / total) * (ROWS_TO - ROWS_FROM));
  };
  database.exec('begin');
  for (const table of tables) insertRows(database, table, report);
  database.exec('commit');
}

function insertRows(
  database: DatabaseSync,
  { table, columns, rows }: TableRows,
  onRow: () => void,
): void {
  const places = columns.map(() => '?').join(', ');
  const statement = database.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${places})`,
  );
  for (const row of rows) {
    statement.run(...row);
    onRow();
  }
}

/**
 * One check at the end is cheaper than one for every row, and leaves the order of the rows free.
 */
function refuseDanglingReferences(database: DatabaseSync): void {
  const dangling = database.prepare('pragma foreign_key_check').all();
  if (dangling.length === 0) return;
  const first = JSON.stringify(dangling[0]);
  throw new Error(
    'Demo data: expected every reference to have its row; ' +
      `${dangling.length} have none, the first is ${first}.`,
  );
}
