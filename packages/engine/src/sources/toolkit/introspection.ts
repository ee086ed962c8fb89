import type { WireType } from '@proj/contract';

import type { Relation, RelationPath } from '../../catalogue/relation.ts';

export type {
  AskedColumn,
  JsonPlace,
  JsonPlaceSql,
  AskedSelection,
  DescribedColumn,
  DescribedSelection,
  Refused,
} from '../../catalogue/described-column.ts';
export { keysOf, keysShown, withKeys, withViewKeys } from '../../catalogue/keys.ts';
export type { Shown, UniqueIndex } from '../../catalogue/keys.ts';

export function withFacts<Facts extends { readonly path: RelationPath }>(
  relations: readonly Relation[],
  facts: readonly Facts[],
  change: (relation: Relation, facts: readonly Facts[]) => Relation,
): Relation[] {
  const byPath = Map.groupBy(facts, ({ path }) => JSON.stringify(path));
  return relations.map((one) => change(one, byPath.get(JSON.stringify(one.path)) ?? []));
}

/** @param circular the judgement of a thing that is asked about while it is judged */
export function judgeOnce<Judgement>(
  judge: (id: string) => Judgement,
  circular: Judgement,
): (id: string) => Judgement {
  const known = new Map<string, Judgement>();
  return (id) => {
    if (!known.has(id)) known.set(id, circular).set(id, judge(id));
    return known.get(id) as Judgement;
  };
}

/** @param names the database's own types of each wire type */
export function wireTypesByName(
  names: Partial<Record<WireType, readonly string[]>>,
): ReadonlyMap<string, WireType> {
  const types = Object.keys(names) as WireType[];
  return new Map(types.flatMap((type) => (names[type] ?? []).map((name) => [name, type] as const)));
}
