/** How many threads of this process encode a file now, but for a number that stays the same. */
export function parquetThreads(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}
