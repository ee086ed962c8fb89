const ends: (() => unknown)[] = [];

/**
 * Runs something when the test file that is running has ended, last registered first. A worker runs
 * many files; what a file opens outside of its hooks would stay open for all of them.
 */
export function afterFile(end: () => unknown): void {
  ends.push(end);
}

/** What the set-up of vitest calls behind each file. */
export async function endFile(): Promise<void> {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
}
