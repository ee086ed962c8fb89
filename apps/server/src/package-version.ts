import { readFileSync } from 'node:fs';

/** The version of this package. */
export function packageVersion(): string {
  const manifest = new URL(import.meta.resolve('@proj/server/package.json'));
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  return version;
}
