import { beforeRelease } from '@proj/test-servers';

import { OWNERS, type Row } from './models.ts';
import type { Random } from './random.ts';

type Some<Value> = readonly [Value, ...Value[]];

/** Few values, so that there are many ties. */
export const WORDS: Some<string> = [
  '',
  'a',
  'ab',
  'abc',
  'b',
  'birch',
  'elm',
  'fir',
  'm-1',
  'm-10',
  'm-2',
  'oak',
  'x y',
  'yew',
  'z',
];

export const MOMENTS: Some<string> = [
  '2023-12-31T23:59:59.5Z',
  '2024-02-29T00:00:00Z',
  '2024-02-29T00:00:00.5Z',
  '2025-01-01T12:00:00Z',
];

/** The largest grade; the smallest is 0. */
export const GRADES = 12;

/** How many tasks there are by and by. */
export const ROWS = Number(process.env['TRUTH_ROWS'] ?? (beforeRelease ? 5000 : 600));

/** Tasks are numbered from 1 to this. Half of the numbers are free at a time, and come back. */
export const SPARE_IDS = 2 * ROWS;

export function anyTask(random: Random, id: number): Row {
  return {
    id,
    owner: random.integer(1, OWNERS),
    ...anySortKeys(random),
    done: random.chance(0.5),
    note: anyNote(random),
  };
}

/** New values of what tasks are sorted by. */
export function anySortKeys(random: Random): {
  grade: number | null;
  word: string | null;
  moment: string;
} {
  const grade = random.chance(0.2) ? null : random.integer(0, GRADES);
  const word = random.chance(0.2) ? null : random.pick(WORDS);
  return { grade, word, moment: random.pick(MOMENTS) };
}

export function anyNote(random: Random): string {
  return random.chance(0.04) ? random.pick(LONG_NOTES) : `n${random.integer(0, 9999)}`;
}

/** Too long for the page that has the row. */
export const LONG_NOTES: Some<string> = ['long'.repeat(600), 'far'.repeat(900)];

export function anyOwner(random: Random, id: number): Row {
  return { id, title: random.pick(WORDS) };
}
