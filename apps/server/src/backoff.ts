/** Upper bounds of the first wait and of every wait, in milliseconds. */
const SECONDS = { first: 2000, longest: 30_000 };

/**
 * How long to wait after so many failures in a row, in milliseconds: half of the first wait or
 * more, then twice as long each time. At random, so that many servers do not come at once.
 *
 * @param waits as long as the first and any wait may be. Default: 2 and 30 seconds
 */
export function backoff(failures: number, { first, longest } = SECONDS): number {
  const most = Math.min(longest, first * 2 ** (failures - 1));
  return most / 2 + (Math.random() * most) / 2;
}
