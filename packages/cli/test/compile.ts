import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { onTestFinished } from 'vitest';

const TSC = join(import.meta.dirname, '../../../node_modules/.bin/tsc');

const FLAGS = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--target',
  'es2024',
  '--module',
  'nodenext',
  '--allowImportingTsExtensions',
];

/** What is compiled. */
interface Sources<Name extends string> {
  /** A package, below which the SDK is found. */
  readonly root: string;
  /** What `dq types` prints. */
  readonly models: string;
  /** Programs beside it, by their names. */
  readonly programs: Readonly<Record<Name, string>>;
}

/** Compiles as a user of the SDK would; the answer gives what the compiler says of a program. */
export async function compile<Name extends string>({
  root,
  models,
  programs,
}: Sources<Name>): Promise<(name: Name) => string> {
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'compiled-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'models.ts'), models);
  const files: string[] = [];
  for (const [name, program] of Object.entries<string>(programs)) {
    const file = join(folder, `${name}.ts`);
    await writeFile(file, program);
    files.push(file);
  }
  const printed = await promisify(execFile)(TSC, [...FLAGS, ...files]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  // What belongs to an error is indented below it.
  const errors = printed.split(/\n(?=\S)/);
  return (name) => errors.filter((error) => error.includes(`${name}.ts(`)).join('\n');
}
