import { join } from 'node:path';

import { rolldown } from 'rolldown';

/** A program in one file. */
export interface Bundle {
  /** CommonJS, the only kind that a single executable application of Node 24 starts with. */
  readonly code: string;
  readonly moduleIds: readonly string[];
}

/**
 * Bundles a program with everything that it needs but Node. What it imports later is still run when
 * it is imported, and not before.
 */
export async function bundle(input: string): Promise<Bundle> {
  const build = await rolldown({
    input,
    platform: 'node',
    // A library of the system, which no bundle can hold.
    resolve: { alias: { '@proj/duckdb': join(import.meta.dirname, 'no-duckdb.ts') } },
    // Where the files of an installation are; a program without files does not ask.
    checks: { emptyImportMeta: false },
  });
  try {
    // Not minified: what an error says of its place stays readable.
    const { output } = await build.generate({ format: 'cjs', codeSplitting: false });
    const [{ code, moduleIds }] = output;
    return { code, moduleIds };
  } finally {
    await build.close();
  }
}
