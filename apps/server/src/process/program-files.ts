// Node 22 lacks a name of it that only a single executable application uses.
import sea from 'node:sea';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

import { filesIn, type ProgramFiles } from '@proj/fastify/host';

/** Of an installed package, or built into a single executable application. */
export function packageFiles(packageName: string, folder: string): ProgramFiles {
  return sea.isSea()
    ? assets(assetPrefix(packageName, folder))
    : filesIn(installedFolder(packageName, folder));
}

/** Of the service's own package, such as `package.json`. */
export function ownFile(name: string): Buffer {
  return packageFiles('@proj/server', '.').read(name);
}

/** Prefix of the names of a folder's built-in files. */
export function assetPrefix(packageName: string, folder: string): string {
  return `${posix.join(packageName, folder)}/`;
}

/** @throws {Error} when there is no such package. */
export function installedFolder(packageName: string, folder: string): string {
  return fileURLToPath(new URL(folder, import.meta.resolve(`${packageName}/package.json`)));
}

/** Not copied: the files stay where the system has mapped the program. */
function assets(prefix: string): ProgramFiles {
  return {
    get names() {
      const keys = sea.getAssetKeys().filter((key) => key.startsWith(prefix));
      return keys.map((key) => key.slice(prefix.length));
    },
    read: (name) => Buffer.from(sea.getRawAsset(prefix + name)),
  };
}

export function packageVersion(): string {
  return (JSON.parse(ownFile('package.json').toString()) as { readonly version: string }).version;
}
