import type { ModelEntry } from '@proj/client';
import { RELATION_LIMITS } from '@proj/contract';

/** An attribute, or a relation with its dot. */
export interface PathCandidate {
  readonly name: string;
  /** Of an attribute, as the catalogue has them. */
  readonly facets?: readonly string[] | undefined;
}

interface PathReading {
  /** Undefined where the service does not answer. */
  readonly readModel: (name: string) => Promise<ModelEntry | undefined>;
  /** How many relations may follow. */
  readonly left?: number;
}

/** The next step of a path: behind `customer.`, the attributes and relations of customers. */
export async function pathCandidates(
  typed: string,
  model: ModelEntry,
  { readModel, left = RELATION_LIMITS.steps }: PathReading,
): Promise<PathCandidate[]> {
  const relations = left === 0 ? [] : (model.references ?? []);
  for (const { name, model: target } of relations) {
    if (name === undefined || !typed.startsWith(`${name}.`)) continue;
    const entry = await readModel(target);
    if (entry === undefined) return [];
    const rest = typed.slice(name.length + 1);
    const found = await pathCandidates(rest, entry, { readModel, left: left - 1 });
    return found.map((one) => ({ ...one, name: `${name}.${one.name}` }));
  }
  const further = relations.flatMap(({ name }) =>
    name === undefined ? [] : [{ name: `${name}.` }],
  );
  return [...model.attributes, ...further];
}
