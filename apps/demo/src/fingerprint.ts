import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { INDEXES, TABLES, VIEWS } from './schema.ts';
import { DATA_SOURCES } from './sources.ts';

/**
 * Raise it when rows are derived in another way; a change of the schema's text or of a package
 * counts by itself.
 */
const ROWS_VERSION = 1;

const require = createRequire(import.meta.url);

/**
 * What the demo database is made of, in twelve hexadecimal digits. Reads manifests only, none of
 * the data.
 */
export function demoFingerprint(): string {
  const packages = DATA_SOURCES.map(
    (source) => `${source.package}@${installedManifest(source.package).version}`,
  );
  const ingredients = [ROWS_VERSION, TABLES, INDEXES, VIEWS, ...packages];
  return createHash('sha256').update(JSON.stringify(ingredients)).digest('hex').slice(0, 12);
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/**
 * The manifest of an installed package. Found from its entry, because not every package exports its
 * package.json.
 */
export function installedManifest(name: string): Manifest {
  let directory = dirname(require.resolve(name));
  while (directory !== dirname(directory)) {
    const manifest = manifestIn(directory);
    if (manifest?.name === name) return manifest;
    directory = dirname(directory);
  }
  throw new Error(`${name}: expected a package.json above ${require.resolve(name)}; found none.`);
}

function manifestIn(directory: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}
