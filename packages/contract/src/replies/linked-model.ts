import { RELATION_LIMITS } from '../filter.ts';
import { nameText } from '../text/name-text.ts';
import { printName } from '../text/print-filter.ts';
import type { AttributeEntry, ModelEntry } from './catalogue.ts';

/** A model with those to which its relations lead, and whose records refer to its own. */
export interface LinkedModel extends ModelEntry {
  /**
   * All that the token may see; absent where nothing that was asked for can be a path or a
   * condition on related records.
   */
  readonly others?: readonly ModelEntry[];
}

/**
 * The attribute of a model by its name, or at the end of a path such as `customer.country.name`,
 * whose name it then has; undefined where there is none. A relation may lead nowhere, so what is
 * behind it may be NULL.
 */
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

/** Why a model has no attribute at the end of a path, as a sentence, and those that it has. */
export function noAttributeText(
  path: string,
  model: LinkedModel,
  next = `It has ${model.attributes.map(({ name }) => printName(name)).join(', ')}.`,
): string {
  return leadsTooFar(path, model)
    ? `"${path}" passes more than ${RELATION_LIMITS.steps} relations, the most that a path may.`
    : `${nameText(model.name)} has no attribute "${path}". ${next}`;
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

/** The models of the related records on which a filter may have conditions, by their names. */
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
