import type { ItemDatabase, ItemDatabaseKind } from './item-databases.ts';
import { AMOUNTS, CODES, DAYS, NAMES, PRICES, TIMES } from './item-values.ts';

const COUNT = 60;

/**
 * Creates the tables of the tests, and writes their records. The collation of names disregards letter
 * case, as no grid and no filter of the service does.
 */
export async function writeItems(
  run: ItemDatabase['run'],
  { caselessText, moment, preparation }: ItemDatabaseKind,
): Promise<void> {
  for (const statement of preparation) await run(statement);
  await run(`create table items (id bigint not null primary key, name ${caselessText},
    code varchar(9) not null, amount bigint, price double precision, active boolean, day date,
    at ${moment})`);
  await run(`create table parts (item bigint not null, side varchar(9) not null, note varchar(40),
    primary key (item, side))`);
  await run('create table notes (id bigint not null primary key, note varchar(9))');
  await insert(run, 'notes', [
    [1, 'Zug'],
    [2, 'zug'],
    [3, null],
    [4, ''],
    [5, '  '],
    [6, '1'],
  ]);
  await run('create table many (id bigint not null primary key)');
  await insert(
    run,
    'items',
    Array.from({ length: COUNT }, (_, index) => itemOf(index + 1)),
  );
  const sides = ['left', 'right', '["odd"]'];
  const parts = Array.from({ length: 40 }, (_, index) => index + 1).flatMap((item) =>
    sides.map((side) => [item, side, `${item} ${side}`]),
  );
  await insert(run, 'parts', parts);
  await insert(
    run,
    'many',
    Array.from({ length: 1001 }, (_, index) => [index + 1]),
  );
}

type Value = string | number | null;

async function insert(
  run: ItemDatabase['run'],
  table: string,
  rows: readonly Value[][],
): Promise<void> {
  const texts = rows.map((row) => `(${row.map(literal).join()})`);
  await run(`insert into ${table} values ${texts.join()}`);
}

/** PostgreSQL takes no number for a boolean, and every database takes each value as a text. */
function literal(value: Value): string {
  return value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`;
}

function itemOf(id: number): Value[] {
  return [
    id,
    choose(NAMES, id),
    CODES[id % CODES.length] ?? '',
    choose(AMOUNTS, id * 5),
    choose(PRICES, id + 2),
    choose([1, 0], id * 3),
    choose(DAYS, id + 4),
    choose(TIMES, id * 2 + 1),
  ];
}

/** One of the values, or sometimes none. */
function choose<One extends Value>(values: readonly One[], seed: number): One | null {
  return seed % 7 === 3 ? null : (values[seed % values.length] ?? null);
}
