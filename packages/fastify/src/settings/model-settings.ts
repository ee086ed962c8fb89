import { nameText } from '@proj/contract';
import type { CatalogueReport, ModelSettings } from '@proj/engine';

import type { ModelsSettings } from './models.ts';

type FileModel = ModelsSettings[string];

/** The attribute of `key: rows`. */
const ROW_NUMBER = 'row';

export function modelSettings(models: ModelsSettings): Readonly<Record<string, ModelSettings>> {
  return Object.fromEntries(Object.entries(models).map(([name, model]) => [name, toModel(model)]));
}

function toModel(model: FileModel): ModelSettings {
  const { default_sort: defaultSort, max_page_size: maxPageSize, ...others } = model;
  const { files, key, attributes = files === undefined ? undefined : 'all', ...rest } = others;
  return {
    ...rest,
    ...(key !== undefined && { key: key === 'rows' ? [ROW_NUMBER] : key }),
    defaultSort,
    maxPageSize,
    attributes:
      attributes === undefined || attributes === 'all'
        ? attributes
        : new Map(
            [...attributes].map(([name, { stored_as: storedAs, ...one }]) => [
              name,
              { ...one, storedAs },
            ]),
          ),
  };
}

/** A report of the engine, in the names of the settings file. @param origin precedes a place */
export function reportLine(
  { path, problem, remedy }: Pick<CatalogueReport, 'path' | 'problem' | 'remedy'>,
  origin: (path: readonly string[]) => string = () => '',
): string {
  const place = placeInFile(path);
  return `${origin(place)}${place.map(nameText).join('.')}: ${problem} ${remedy}`;
}

/** Converts a place in the engine's settings, which names members in camel case. */
export function placeInFile(path: readonly string[]): readonly string[] {
  if (path[0] !== 'models') return path;
  const isMember = (index: number): boolean =>
    index === 2 || (index === 4 && path[2] === 'attributes');
  return path.map((name, index) =>
    isMember(index) ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name,
  );
}
