import type { AttributeEntry, ModelEntry } from '@proj/contract';

import type { RequestOptions } from '../options/request-options.ts';
import type { ReadModel } from './catalogue.ts';

/** Finds an attribute by its name or path, reading the models on the way. */
export async function attributeAt(
  path: string,
  { attributes, references = [] }: ModelEntry,
  { readModel, options }: { readonly readModel: ReadModel; readonly options: RequestOptions },
): Promise<AttributeEntry | undefined> {
  const own = attributes.find(({ name }) => name === path);
  if (own !== undefined) return own;
  const along = references.find(({ name }) => name !== undefined && path.startsWith(`${name}.`));
  if (along?.name === undefined) return undefined;
  const target = await readModel(along.model, options);
  return attributeAt(path.slice(along.name.length + 1), target, { readModel, options });
}
