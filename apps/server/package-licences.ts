import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly license: string;
  readonly author?: string | { readonly name: string };
}

/**
 * The licences of the packages from a registry that modules are of, as one text.
 *
 * @param moduleIds the paths of the modules
 */
export function packageLicences(moduleIds: readonly string[]): string {
  const folders = new Set(moduleIds.flatMap(packageOf));
  return [...folders].map(licenceOf).toSorted().join('\n\n');
}

function packageOf(id: string): string[] {
  const [folder] = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id) ?? [];
  return folder === undefined ? [] : [folder];
}

/** A package without a file of its licence names it in its manifest alone. */
function licenceOf(folder: string): string {
  const { name, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Manifest;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.md|\.txt)?$/i.test(entry));
  if (file !== undefined) return licenceEntry(name, readFileSync(join(folder, file), 'utf8'));
  const owner = typeof author === 'string' ? author : author?.name;
  if (owner === undefined) throw new Error(`${folder} names no licence and no author.`);
  return licenceEntry(name, `${license}, ${owner}`);
}

/** The licence of a package under its name. */
export function licenceEntry(name: string, text: string): string {
  return `${name}\n\n${text.trim()}\n`;
}
