// Bundles the program that `dynamic-query` starts: a start that reads hundreds of small files takes
// half as long again (docs/internals/decisions.md). What an operator may have to update without a release of
// ours, Fastify and the drivers, stays a dependency of its own.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { rolldown } from 'rolldown';

import { packageLicences } from './package-licences.ts';

/** Packages of many small modules, and those of this repository. */
const BUNDLED =
  /^(\.|\/|@proj\/(contract|engine|fastify|mysql|paging|postgres|prove-state|sqlite)\b|close-with-grace|commander|fastest-levenshtein|kysely|lru-cache|pg-connection-string|yaml|zod\b)/;

const PARQUET_THREAD = fileURLToPath(import.meta.resolve('@proj/fastify/parquet-thread'));
const READER = fileURLToPath(import.meta.resolve('@proj/sqlite/reader-process'));

rmSync('dist/program', { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    main: 'dist/main.js',
    'program/parquet-thread': PARQUET_THREAD,
    'program/reader-process': READER,
    'program/worker-process': 'dist/commands/workers/worker-process.js',
  },
  platform: 'node',
  external: (id) => !BUNDLED.test(id),
});
const { output } = await bundle.write({
  dir: 'dist',
  chunkFileNames: 'program/[name].js',
  // They would be a tenth of what npm downloads. Who debugs has the sources beside the bundle.
  comments: { legal: true, annotation: false, jsdoc: false },
});
await bundle.close();
chmodSync('dist/main.js', 0o755);

const moduleIds = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
writeFileSync('dist/program/LICENSES.txt', packageLicences(moduleIds));
