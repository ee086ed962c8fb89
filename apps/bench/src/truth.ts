import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ENGINE = fileURLToPath(new URL('../../../packages/engine', import.meta.url));

/** What a run of the truth test does. */
export interface TruthOptions {
  /** How many transactions a second, and for how many seconds: `1000:600,100:60,10:60`. */
  readonly paces: string;
  /** How many records the written table has. */
  readonly rows: number;
  /** Part of the name of the databases that are tried; every database where undefined. */
  readonly only?: string | undefined;
}

/**
 * Compares the replies of every kind of database with each state that was committed meanwhile, and
 * then breaks the mechanisms of the engine one after the other, which has to be found out.
 *
 * @returns whether no reply was wrong, and every broken mechanism was found out
 */
export async function runTruth({ paces, rows, only }: TruthOptions): Promise<boolean> {
  const run = spawn(
    'pnpm',
    [
      'exec',
      'vitest',
      'run',
      'test/truth/truth.test.ts',
      'test/truth/sabotage.test.ts',
      '--no-file-parallelism',
      ...(only === undefined ? [] : ['-t', only]),
    ],
    {
      cwd: ENGINE,
      stdio: 'inherit',
      env: { ...process.env, CI: 'true', TRUTH_PACES: paces, TRUTH_ROWS: String(rows) },
    },
  );
  const [code] = await once(run, 'exit');
  return code === 0;
}
