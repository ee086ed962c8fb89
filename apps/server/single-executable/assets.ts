import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { licenceEntry, packageLicences } from '../package-licences.ts';
import { assetPrefix, filesIn, installedFolder } from '../src/process/program-files.ts';
import type { PublishedNode } from './fetch-node.ts';

interface Folder {
  readonly packageName: string;
  readonly path: string;
  /** What the program reads there. Default: all files. */
  readonly names?: readonly string[];
}

const FOLDERS: readonly Folder[] = [
  { packageName: '@proj/server', path: '.', names: ['package.json'] },
  { packageName: '@proj/explorer', path: 'dist' },
  {
    packageName: '@fastify/swagger-ui',
    path: 'static',
    names: ['swagger-ui.css', 'swagger-ui-bundle.js'],
  },
];

interface Contents {
  readonly node: PublishedNode;
  /** The paths of the modules of the program. */
  readonly moduleIds: readonly string[];
}

/**
 * The files that are built into the program, by the names under which it finds them.
 *
 * @param folder for those that are written now
 */
export function writeAssets(
  folder: string,
  { node, moduleIds }: Contents,
): Readonly<Record<string, string>> {
  const licences = join(folder, 'LICENSES.txt');
  writeFileSync(licences, `${packageLicences(moduleIds)}\n\n${licenceEntry('Node', node.licence)}`);
  return {
    ...Object.fromEntries(FOLDERS.flatMap(filesOf)),
    [`${assetPrefix('@proj/server', 'dist/program')}LICENSES.txt`]: licences,
  };
}

function filesOf({ packageName, path, names }: Folder): [string, string][] {
  const directory = installedFolder(packageName, path);
  const wanted = names ?? filesIn(directory).names;
  if (wanted.length === 0) throw new Error(`${directory} is not built: run pnpm build first.`);
  return wanted.map((name) => [assetPrefix(packageName, path) + name, join(directory, name)]);
}
