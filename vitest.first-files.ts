import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * Runs these files of a package first, in this order: a long one that began last would leave all
 * cores but one idle. Vitest would begin with the largest, as long as it knows no times.
 *
 * @param names paths within the folder of the package, in which vitest runs
 */
export function beginningWith(names: readonly string[]): TestSequencerConstructor {
  const paths = names.map((name) => join(process.cwd(), name));
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const missing = paths.find((path) => !existsSync(path));
      if (missing !== undefined) throw new Error(`${missing} is to run first, and is not there.`);
      // oxlint-disable-next-line unicorn/no-array-sort -- of the sequencer, not of an array
      const sorted = await super.sort(files);
      const first = paths.flatMap((path) => sorted.filter(({ moduleId }) => moduleId === path));
      return [...first, ...sorted.filter(({ moduleId }) => !paths.includes(moduleId))];
    }
  };
}
