import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';

import type { MutatedFolder } from './folders.ts';

/**
 * Changes the code of a folder in one place at a time and runs the tests that reach that place, one
 * mutant after the other. Runs in a copy of the repository; the working tree stays as it is.
 */
export async function runMutants(folder: MutatedFolder): Promise<MutantResult[]> {
  process.env['MUTATION_TESTS'] = JSON.stringify([
    `${folder.path}/**/*.test.ts`,
    ...folder.otherTests,
  ]);
  return new Stryker({
    mutate: [`${folder.path}/**/*.ts`, '!**/*.test.ts'],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'packages/code-checks/src/mutation/vitest.config.ts' },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    timeoutMS: 3000,
    reporters: ['progress-append-only'],
    tempDirName: '.cache/mutation',
    // Stryker would rewrite the paths of TypeScript's settings with an API that TypeScript 7 lacks.
    tsconfigFile: 'none',
  }).runMutationTest();
}
