import { nameText } from '@proj/contract';
import { type Catalogue, SettingsError } from '@proj/engine';

export interface NamedCatalogue {
  readonly name: string;
  readonly catalogue: Catalogue;
}

export function repeatedNames(catalogues: readonly NamedCatalogue[]): string[] {
  const owners = new Map<string, string>();
  return catalogues.flatMap(({ name, catalogue }) =>
    [...catalogue.keys()].flatMap((model) => {
      const owner = owners.get(model);
      owners.set(model, owner ?? name);
      if (owner === undefined) return [];
      return [
        `databases: ${nameText(model)} is a model of ${owner} and of ${name}. Leave \`prefix\` ` +
          'out of one of them, or give one of the models another name with `source`.',
      ];
    }),
  );
}

/** @throws {SettingsError} naming each model that two databases have */
export function demandUniqueNames(catalogues: readonly NamedCatalogue[]): void {
  const errors = repeatedNames(catalogues);
  if (errors.length > 0) throw new SettingsError(errors.join('\n'));
}
