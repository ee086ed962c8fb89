import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** Path of a file that a package builds, such as `dist/main.js` of `@proj/server`. */
export function programPath(name: string, file: string): string {
  return join(dirname(require.resolve(`${name}/package.json`)), file);
}
