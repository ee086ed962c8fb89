/// <reference lib="es2023" />
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';

import { beforeRelease } from './packages/test-servers/src/before-release.ts';

/**
 * Test files that take turns: one in three runs with each commit, all of them before a release.
 * They start programs, browsers or several servers, or ask at random beside writers, for what other
 * tests, which always run, decide without.
 */
const TURNS = [
  'apps/e2e/test/{conformance,dq,explorer,grids,mcp,sdk,sign-in}/**/*.test.ts',
  'apps/e2e/test/reference-page.test.ts',
  'apps/server/test/databases/{failures,operations,reload}.test.ts',
  'apps/server/test/replicas/*.test.ts',
  'apps/server/test/{check-command,frozen-workers,full-audit,full-output,init-command}.test.ts',
  'apps/server/test/{killed-workers,process-signals,propose-keys,prove-state}.test.ts',
  'apps/server/test/{session-refusals,sign-in-link,slow-readers,startup,stopping}.test.ts',
  'apps/server/test/workers.test.ts',
  'apps/server/test/parquet/misfits.test.ts',
  'packages/cli/test/{processes,readme,types}.test.ts',
  'packages/conformance/test/*.test.ts',
  'packages/database-tests/test/{overwritten-file,schema-changes}.test.ts',
  'packages/database-tests/test/{replicas,truth}/*.test.ts',
  'packages/database-tests/test/databases/{containing-records,exports,extreme-values}.test.ts',
  'packages/database-tests/test/databases/{facet-extremes,own-names,sql-injection,text-match}.test.ts',
  'packages/database-tests/test/postgres/{feed,sessions}/*.test.ts',
  'packages/database-tests/test/postgres/{balanced-standbys,changing-tables,changing-views}.test.ts',
  'packages/database-tests/test/postgres/{cluster,cluster-failures,cut-choice,cut-versions}.test.ts',
  'packages/database-tests/test/postgres/{locked-cuts,pooler,standby,unlockable-relations}.test.ts',
  'packages/postgres/test/settled.test.ts',
];

/** How many commits it takes until each file has had its turn. */
const ROUND = 3;

/** Chooses the random cases of a run and its turn: others with each commit. */
export const seed = Number(process.env['TEST_SEED'] ?? seedOfCommit());

/** The files whose turn it is not. A run whose arguments name files has them all. */
export const waitingFiles: readonly string[] = beforeRelease || namesFiles() ? [] : waiting();

function waiting(): string[] {
  const found = globSync(TURNS, { cwd: import.meta.dirname });
  const files = found.filter((path) => !path.endsWith('.release.test.ts')).toSorted();
  // The last digits of the seed choose among the cases in a file.
  const turn = Math.floor(seed / 2 ** 16);
  return files.filter((_, index) => (index + turn) % ROUND !== 0);
}

/** As in `vitest run packages/cli/`. */
function namesFiles(): boolean {
  return process.argv.slice(2).some((argument) => /^[^-].*\//.test(argument));
}

/** A number of 31 bits. */
function seedOfCommit(): number {
  // The checkout may belong to another user than the one of the tests.
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  const commit = execFileSync('git', ['-c', 'safe.directory=*', 'rev-parse', 'HEAD'], options);
  return Number.parseInt(commit.slice(0, 8), 16) >>> 1;
}
