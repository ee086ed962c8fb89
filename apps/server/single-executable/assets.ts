import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesIn } from '@proj/fastify/host';

import { licenceEntry, packageLicences } from '../package-licences.ts';
import { assetPrefix, installedFolder } from '../src/process/program-files.ts';
import type { Bundle } from './bundle.ts';
import type { PublishedNode } from './fetch-node.ts';

interface Folder {
  readonly packageName: string;
  readonly path: string;
  /** What the program reads there. Default: all files. */
  readonly names?: readonly string[];
}

const FOLDERS: readonly Folder[] = [
  { packageName: '@proj/server', path: '.', names: ['package.json', 'settings.schema.json'] },
  { packageName: '@proj/explorer', path: 'dist' },
  {
    packageName: '@fastify/swagger-ui',
    path: 'static',
    names: ['swagger-ui.css', 'swagger-ui-bundle.js'],
  },
];

interface Contents {
  readonly node: PublishedNode;
  readonly main: Bundle;
  /** The program of a thread, which has no file to start from. */
  readonly thread: Bundle;
}

/**
 * The files that are built into the program, by the names under which it finds them.
 *
 * @param folder for those that are written now
 */
export function writeAssets(
  folder: string,
  { node, main, thread }: Contents,
): Readonly<Record<string, string>> {
  const moduleIds = [...main.moduleIds, ...thread.moduleIds];
  const licences = join(folder, 'LICENSES.txt');
  writeFileSync(licences, `${packageLicences(moduleIds)}\n\n${licenceEntry('Node', node.licence)}`);
  const program = join(folder, 'parquet-thread.cjs');
  writeFileSync(program, thread.code);
  const prefix = assetPrefix('@proj/server', 'dist/program');
  return {
    ...Object.fromEntries(FOLDERS.flatMap(filesOf)),
    [`${prefix}LICENSES.txt`]: licences,
    [`${prefix}parquet-thread.cjs`]: program,
  };
}

function filesOf({ packageName, path, names }: Folder): [string, string][] {
  const directory = installedFolder(packageName, path);
  const wanted = names ?? filesIn(directory).names;
  if (wanted.length === 0) throw new Error(`${directory} is not built: run pnpm build first.`);
  return wanted.map((name) => [assetPrefix(packageName, path) + name, join(directory, name)]);
}
