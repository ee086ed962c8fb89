import { hasGalera } from '@proj/test-servers';
import { describe } from 'vitest';

const available = await hasGalera();
if (!available) {
  const message = 'No Galera is installed (on Debian: apt-get install mariadb-server galera-4)';
  if (process.env['CI'] !== undefined) throw new Error(`${message}.`);
  console.warn(`${message}: its tests are skipped.`);
}

/** A group of tests that need the nodes of a Galera cluster. */
export function describeGalera(title: string, tests: () => void): void {
  (available ? describe : describe.skip)(title, tests);
}
