import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian puts servers, beside the folders of PATH. */
export const SERVER_PATH = [
  process.env['PATH'] ?? '',
  '/usr/sbin',
  '/usr/local/sbin',
  '/sbin',
].join(delimiter);

/**
 * Whether programs are installed. Where CI is set they have to be: a test that would be left out
 * fails there, since nobody reads what is printed.
 */
export function hasPrograms(...names: readonly string[]): boolean {
  const folders = SERVER_PATH.split(delimiter);
  const missing = names.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  return missing.length === 0 || process.env['CI'] !== undefined;
}
