import { afterFile, hasPgBouncer, type PoolMode, startPgBouncer } from '@proj/test-servers';
import { describe } from 'vitest';

const available = hasPgBouncer();
if (!available) {
  const message = 'No PgBouncer is installed (on Debian: apt-get install pgbouncer)';
  if (process.env['CI'] !== undefined) throw new Error(`${message}.`);
  console.warn(`${message}: its tests are skipped.`);
}

/** The URL of a PgBouncer that runs until the tests of the file are done. */
export async function startPooler(options: Parameters<typeof startPgBouncer>[0]): Promise<string> {
  const pooler = await startPgBouncer(options);
  afterFile(() => pooler.stop());
  return pooler.url;
}

/** A group of tests of a server itself, and of PgBouncer before it in some modes. */
export function describeWithPoolers(
  title: string,
  { server, modes }: { readonly server: () => string; readonly modes: readonly PoolMode[] },
  tests: (url: () => Promise<string>) => void,
): void {
  describe.each([{ title }])('$title', () => {
    tests(async () => server());
  });
  for (const mode of modes)
    describePgBouncer(`${title} behind PgBouncer in ${mode} mode`, () => {
      tests(() => startPooler({ server: server(), mode }));
    });
}

/** A group of tests that need a PostgreSQL server and PgBouncer. */
export function describePgBouncer(title: string, tests: () => void): void {
  (available ? describe : describe.skip)(title, tests);
}
