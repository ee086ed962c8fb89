import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const INSTALLED = join('node_modules', '@proj', 'server', 'settings.schema.json');

/**
 * The path from a folder to the schema of settings in the package that is installed there or in a
 * folder above, with slashes on every system; undefined where none is, as with `npx` or an
 * installation for the whole machine.
 */
export function installedSchema(folder: string): string | undefined {
  let place = resolve(folder);
  while (!existsSync(join(place, INSTALLED))) {
    const above = dirname(place);
    if (above === place) return undefined;
    place = above;
  }
  const path = relative(folder, join(place, INSTALLED)).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}
