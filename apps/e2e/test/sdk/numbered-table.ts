import type { Database, DatabaseKind } from '../support/database.ts';

type Run = Pick<Database, 'run'>;

/** A table whose rows have a number each, from which their keys follow. */
export interface NumberedTable {
  readonly title: string;
  /** Name of the table, and of the model. */
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: (kind: DatabaseKind) => string;
  /** The values of the key of the row with that number, which is below 10^6. */
  readonly keyOf: (n: number) => readonly (string | number)[];
  /** A text for each row that sorts, unit by unit, as the keys do. */
  readonly place: (n: number) => string;
}

const digits = (n: number): string => String(n).padStart(6, '0');

/** Rows in the order of their numbers. */
export const PLAIN: NumberedTable = {
  title: 'a key of one number',
  name: 'plain',
  key: ['id'],
  columns: () => 'id bigint not null',
  keyOf: (n) => [n],
  place: digits,
};

const COMPOSITE: NumberedTable = {
  title: 'a key of two attributes',
  name: 'composite',
  key: ['shelf', 'code'],
  columns: () => 'shelf integer not null, code varchar(40) not null',
  keyOf: (n) => [n % 7, `c${digits(n)}`],
  place: (n) => `${n % 7} ${digits(n)}`,
};

/** The order of bytes would put all capital letters first. */
const CASELESS: NumberedTable = {
  title: 'a key of a text without regard to case',
  name: 'caseless',
  key: ['code'],
  columns: ({ caselessText }) => `code ${caselessText} not null`,
  keyOf: (n) => [`${n % 20 === 0 ? 'KEY' : 'key'}${digits(n)}`],
  place: digits,
};

export const TABLES: readonly NumberedTable[] = [PLAIN, COMPOSITE, CASELESS];

/** The numbers of the rows that a table begins with: tens, so that others can come between. */
export const NUMBERS: readonly number[] = Array.from(
  { length: 4000 },
  (_, index) => 10 * (index + 1),
);

const BATCH = 1000;

/** Makes the tables anew. */
export async function makeTables(
  { run }: Run,
  kind: DatabaseKind,
  tables: readonly NumberedTable[],
): Promise<void> {
  for (const statement of kind.preparation) await run(statement);
  for (const table of tables) {
    await run(
      `create table ${table.name} (${table.columns(kind)}, n integer not null, note varchar(40), primary key (${table.key.join(', ')}))`,
    );
    await fillTable({ run }, table);
  }
}

/** Makes the rows of a table those that it begins with, whatever it holds. */
export async function fillTable({ run }: Run, table: NumberedTable): Promise<void> {
  await run('begin');
  await run(`delete from ${table.name}`);
  for (let begin = 0; begin < NUMBERS.length; begin += BATCH) {
    await insertRows({ run }, table, NUMBERS.slice(begin, begin + BATCH));
  }
  await run('commit');
}

/** Adds rows with one statement. */
export async function insertRows(
  { run }: Run,
  table: NumberedTable,
  numbers: readonly number[],
): Promise<void> {
  const row = `(${[...table.key, 'n'].map(() => '?').join(', ')})`;
  const values = numbers.flatMap((n) => [...table.keyOf(n), n]);
  await run(
    `insert into ${table.name} (${table.key.join(', ')}, n) values ${numbers.map(() => row).join(', ')}`,
    values,
  );
}

/** Removes rows with one statement. */
export async function deleteRows(
  { run }: Run,
  table: NumberedTable,
  numbers: readonly number[],
): Promise<void> {
  const row = `(${table.key.map((name) => `${name} = ?`).join(' and ')})`;
  await run(
    `delete from ${table.name} where ${numbers.map(() => row).join(' or ')}`,
    numbers.flatMap((n) => table.keyOf(n)),
  );
}

/** Changes another column of a row. */
export async function updateRow({ run }: Run, table: NumberedTable, n: number): Promise<void> {
  await run(
    `update ${table.name} set note = ? where ${table.key.map((name) => `${name} = ?`).join(' and ')}`,
    [`written ${n}`, ...table.keyOf(n)],
  );
}
