import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parseFile, type SourceFile } from './source-file.ts';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The TypeScript of every package, with its tests; what is built or installed is left out. */
export function repositoryFiles(root: string = ROOT): SourceFile[] {
  return globSync('{packages,apps}/*/{src,test}/**/*.{ts,tsx}', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => parseFile(path, readFileSync(join(root, path), 'utf8')));
}

/** Whether a file serves the tests alone. */
export function isTest({ path }: Pick<SourceFile, 'path'>): boolean {
  return (
    path.includes('/test/') ||
    /\.test\.tsx?$/.test(path) ||
    path.startsWith('packages/test-servers/')
  );
}
