import { DatabaseSync } from 'node:sqlite';

import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { decimalDigits } from '../../../engine/src/decimals.ts';
import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { exported } from '../exported.ts';
import { open } from '../open.ts';

/** Numbers at the bounds between what SQLite prints and what JavaScript prints. */
const BOUNDS = [
  0.0001,
  0.00009999999999999999,
  0.00010000000000000002,
  999999999999999.9,
  999999999999998.9,
  99999999999999.98,
  0.1 + 0.2,
  0.3,
  -0.5,
  4.35,
  1e15 + 0.5,
  1e22,
  5e-324,
  Number.MAX_VALUE,
];

const anyReal = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
  fc
    .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 20 }))
    .map(([digits, scale]) => digits / 10 ** scale),
);

it('decimals of SQLite travel with the shortest digits that read back to them, whoever prints them', async () => {
  const reals = [...BOUNDS, ...fc.sample(anyReal, 20_000)].filter((real) => real !== 0);
  const path = databaseFile('create table prices (id integer primary key, price decimal(20, 10))');
  const database = new DatabaseSync(path);
  const insert = database.prepare('insert into prices values (?, ?)');
  database.exec('begin');
  for (const [id, real] of reals.entries()) insert.run(id, real);
  database.exec('commit');
  database.close();
  const engine = await open(`sqlite:${path}`);
  const { records } = await exported(engine, { model: 'prices', attributes: ['price'] });
  expect(records.map(({ price }) => price)).toEqual(reals.map((real) => decimalDigits(real)));
});
