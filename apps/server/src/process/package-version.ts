import { packageFiles } from './program-files.ts';

export function packageVersion(): string {
  const manifest = packageFiles('@proj/server', '.').read('package.json').toString();
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return version;
}
