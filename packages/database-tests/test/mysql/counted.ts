import { type Engine, EVERYTHING } from '@proj/engine';
import { expect } from 'vitest';

/** A table of which each row says how many rows there are. */
export const COUNTED_TABLE = 'create table counted (id int primary key, amount int not null)';

/** Adds all rows to the table. */
export function fillCounted(rows: number): string {
  return `insert into counted select seq, ${rows} from seq_1_to_${rows}`;
}

const SIZE = 10;

/** How many rows there are by a reply, all of which has to be of one state of the table. */
export async function totalOf(engine: Engine, page: number): Promise<number> {
  const body = {
    query_model: 'counted',
    query_attributes: ['id', 'amount'],
    page: { page, size: SIZE },
  };
  const { result, page: metadata } = await engine.query(body, EVERYTHING);
  const total = Number(metadata.total);
  const expected = Array.from({ length: SIZE }, (_, index) => (page - 1) * SIZE + index + 1)
    .filter((id) => id <= total)
    .map((id) => ({ id, amount: total }));
  expect(JSON.parse(result)).toEqual(expected);
  return total;
}
