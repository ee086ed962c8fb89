/** Upper bounds of the first wait and of every wait, in milliseconds. */
const SECONDS = { first: 2000, longest: 30_000 };

/**
 * A random wait, in milliseconds, from half of the first up; doubles with each failure in a row.
 * Random, so that many servers do not come at once.
 *
 * @param waits upper bounds of the first and any wait. Default: 2 and 30 seconds
 */
export function backoff(failures: number, { first, longest } = SECONDS): number {
  const most = Math.min(longest, first * 2 ** (failures - 1));
  return most / 2 + (Math.random() * most) / 2;
}
