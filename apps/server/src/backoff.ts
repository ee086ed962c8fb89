const SECOND_MS = 1000;

/** The longest wait after a failure. */
const LONGEST_MS = 30 * SECOND_MS;

/**
 * How long to wait after so many failures in a row, in milliseconds: 1 to 2 seconds after the
 * first, then twice as long each time, 30 seconds at most. At random, so that many servers do not
 * come at once.
 */
export function backoff(failures: number): number {
  const longest = Math.min(LONGEST_MS, 2 ** failures * SECOND_MS);
  return longest / 2 + (Math.random() * longest) / 2;
}
