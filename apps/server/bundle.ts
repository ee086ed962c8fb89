// Bundles the program that `dynamic-query` starts: a start that reads hundreds of small files takes
// half as long again (docs/decisions.md). What an operator may have to update without a release of
// ours, Fastify and the drivers, stays a dependency of its own.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { basename, dirname, join } from 'node:path';

import { rolldown } from 'rolldown';

/** Packages of many small modules, and those of this repository. */
const BUNDLED =
  /^(\.|\/|@proj\/(contract|engine|paging)\b|fastest-levenshtein|kysely|pg-connection-string|zod\b)/;

const READER = 'dist/sources/sqlite/reader-process.js';

const engine = dirname(fileURLToPath(import.meta.resolve('@proj/engine/package.json')));
rmSync('dist/program', { recursive: true, force: true });
const bundle = await rolldown({
  input: { main: 'dist/main.js', 'program/reader-process': join(engine, READER) },
  platform: 'node',
  external: (id) => !BUNDLED.test(id),
});
const { output } = await bundle.write({ dir: 'dist', chunkFileNames: 'program/[name].js' });
await bundle.close();

const packages = new Set(
  output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])).flatMap(packageOf),
);
writeFileSync('dist/program/LICENSES.txt', [...packages].toSorted().map(licenceOf).join('\n\n'));

/** The folder of the package from a registry that a module is of. */
function packageOf(id: string): string[] {
  const [folder] = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id) ?? [];
  return folder === undefined ? [] : [folder];
}

function licenceOf(folder: string): string {
  const file = ['LICENSE', 'LICENSE.md', 'license'].find((name) => existsSync(join(folder, name)));
  if (file === undefined) throw new Error(`${folder} has no licence file.`);
  return `${basename(folder)}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
