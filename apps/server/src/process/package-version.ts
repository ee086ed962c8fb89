import { ownFile } from './program-files.ts';

export function packageVersion(): string {
  return (JSON.parse(ownFile('package.json').toString()) as { readonly version: string }).version;
}
