/**
 * Texts that hold one another, in several letter cases, and what patterns would read otherwise;
 * collations take some of them for the same.
 */
export const NAMES = [
  'Zug',
  'zug',
  'ZUGER',
  'zug ',
  'Zürich',
  'ZÜRICH',
  'Zurich',
  'a%b',
  'a_b',
  'axb',
  'A',
  '',
  '12',
  '1',
  "o'x",
  '日本',
  'は',
  'ば',
];
export const CODES = ['1', '12', '123', '2', '007'];
export const AMOUNTS = [-2, -1, 0, 1, 2, 3];
export const PRICES = [-1.5, 0, 0.5, 1, 2.25];
export const DAYS = ['2026-01-31', '2026-02-01', '2026-03-08', '2026-03-09'];
/** The clocks of the tests' zone are put forward on 8 March. */
export const TIMES = [
  '2026-01-31 23:59:59',
  '2026-02-01 00:00:00',
  '2026-02-01 10:30:00',
  '2026-02-01 10:30:59',
  '2026-03-08 12:00:00',
];
