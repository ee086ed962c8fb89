import { RELATION_LIMITS } from '../filter.ts';
import { nameText } from '../text/name-text.ts';
import { printName } from '../text/print-filter.ts';
import type { AttributeEntry, ModelEntry } from './catalogue.ts';

/** With the models that relations lead to, or that refer to it. */
export interface LinkedModel extends ModelEntry {
  /** All that the token may see; absent where no path or related condition is possible. */
  readonly others?: readonly ModelEntry[];
}

/** By name or path, such as `customer.country.name`, along which values may be NULL. */
export function attributeAt(
  path: string,
  model: LinkedModel,
  relations: number = RELATION_LIMITS.steps,
): AttributeEntry | undefined {
  const own = model.attributes.find(({ name }) => name === path);
  if (own !== undefined || relations === 0) return own;
  for (const { name, model: target } of model.references ?? []) {
    if (name === undefined || !path.startsWith(`${name}.`)) continue;
    const next = linkedModel(target, model);
    const found = next && attributeAt(path.slice(name.length + 1), next, relations - 1);
    if (found !== undefined) return { ...found, name: path, nullable: true };
  }
  return undefined;
}

/** Says why no attribute is at the end of a path, and which ones are. */
export function noAttributeText(
  path: string,
  model: LinkedModel,
  next = usageOf(path, model) ??
    `It has ${model.attributes.map(({ name }) => printName(name)).join(', ')}.`,
): string {
  return leadsTooFar(path, model)
    ? `"${path}" passes more than ${RELATION_LIMITS.steps} relations, the most that a path may.`
    : `${nameText(model.name)} has no attribute "${path}". ${next}`;
}

/** How to use the relation that a path begins with; undefined for any other path. */
function usageOf(path: string, model: LinkedModel): string | undefined {
  const [key] = model.references?.find(({ name }) => name === path)?.key ?? [];
  if (key !== undefined)
    return `It is a relation: name an attribute behind it, such as ${printName(`${path}.${key}`)}.`;
  const [first = ''] = path.split('.');
  return first !== path && inversesOf(model).has(first)
    ? `A record may have many. Filter by them: some ${printName(first)} (…).`
    : undefined;
}

function leadsTooFar(
  path: string,
  model: LinkedModel,
  left: number = RELATION_LIMITS.steps,
): boolean {
  return (model.references ?? []).some(({ name, model: target }) => {
    if (name === undefined || !path.startsWith(`${name}.`)) return false;
    const next = linkedModel(target, model);
    if (next === undefined || left === 0) return next !== undefined;
    return leadsTooFar(path.slice(name.length + 1), next, left - 1);
  });
}

/** Models of related records that filters may have conditions on, by name. */
export function inversesOf({ name, others = [] }: LinkedModel): ReadonlyMap<string, LinkedModel> {
  return new Map(
    others.flatMap((other) =>
      (other.references ?? []).flatMap(({ inverse, model }) =>
        model === name && inverse !== undefined ? [[inverse, { ...other, others }] as const] : [],
      ),
    ),
  );
}

function linkedModel(name: string, { others }: LinkedModel): LinkedModel | undefined {
  const found = others?.find((other) => other.name === name);
  return found && others && { ...found, others };
}
