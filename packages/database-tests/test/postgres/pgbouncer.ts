import { hasPgBouncer } from '@proj/test-servers';
import { describe } from 'vitest';

const available = hasPgBouncer();
if (!available) {
  const message = 'No PgBouncer is installed (on Debian: apt-get install pgbouncer)';
  if (process.env['CI'] !== undefined) throw new Error(`${message}.`);
  console.warn(`${message}: its tests are skipped.`);
}

/** A group of tests that need a PostgreSQL server and PgBouncer. */
export function describePgBouncer(title: string, tests: () => void): void {
  (available ? describe : describe.skip)(title, tests);
}
