import type { Engine } from '@proj/engine';
import { expect } from 'vitest';

import { ask } from '../open.ts';

/** A table of which each record says how many there are. */
export const COUNTED_TABLE = 'create table counted (id int primary key, rows int not null);';

/** Adds all records to the table. */
export function fillCounted(rows: number): string {
  return `insert into counted select id, ${rows} from generate_series(1, ${rows}) as id;`;
}

const SIZE = 10;

/** How many records there are by a reply, all of which has to be of one server. */
export async function totalOf(engine: Engine, page: number, model = 'counted'): Promise<number> {
  const reply = await ask(engine, { model, attributes: ['id', 'rows'], page, size: SIZE });
  const total = Number(reply.page.total);
  const expected = Array.from({ length: SIZE }, (_, index) => (page - 1) * SIZE + index + 1)
    .filter((id) => id <= total)
    .map((id) => ({ id, rows: total }));
  expect(reply.records).toEqual(expected);
  return total;
}
