import { RELATION_LIMITS } from '@proj/contract';

import type { Attribute, Model } from '../../../../engine/src/catalogue/model.ts';
import type { Fixture } from '../../fixtures/fixture.ts';
import type { Role } from './any-schema.ts';

/** What a request may name, and the column of the oracle's view that shows the same. */
export interface Named {
  readonly name: string;
  readonly column: string;
  readonly attribute: Attribute;
}

/** A view that shows a model as a role sees it, with what is behind its relations. */
export interface SeenView {
  readonly name: string;
  readonly sql: string;
  readonly named: readonly Named[];
}

/** Databases join at most about sixty tables, and views are slow before that. */
const MOST_JOINS = 16;

/** Rows on the way along relations. */
interface Reached {
  readonly path: readonly string[];
  readonly model: Model;
  readonly alias: string;
}

/** Writes the left joins along all relations that a role sees, with row policies in their conditions. */
export function seenView(
  model: Model,
  role: Role,
  { models, fixture }: { readonly models: ReadonlyMap<string, Model>; readonly fixture: Fixture },
): SeenView {
  const id = (name: string): string => fixture.identifier(name);
  const from = (one: Model): string => one.path.map(id).join('.');
  const reached: Reached[] = [{ path: [], model, alias: 'o' }];
  const joins: string[] = [];
  for (const { path, model: owner, alias } of reached) {
    if (path.length === RELATION_LIMITS.steps) continue;
    for (const toOne of owner.relations.values()) {
      const target = models.get(toOne.model);
      if (target === undefined || !role.sees(owner, toOne) || joins.length === MOST_JOINS) continue;
      const joined = `j${joins.length}`;
      const same = toOne.key.map(
        ({ column }, index) =>
          `${joined}.${id(column)} = ${alias}.${id(toOne.columns[index] ?? '')}`,
      );
      const condition = [...same, role.condition(target, joined, fixture)].join(' and ');
      joins.push(`left join ${from(target)} ${joined} on ${condition}`);
      reached.push({ path: [...path, toOne.name], model: target, alias: joined });
    }
  }
  const columns = reached.flatMap((one) =>
    role.attributesOf(one.model).map((attribute) => ({
      name: [...one.path, attribute.name].join('.'),
      sql: `${one.alias}.${id(attribute.column)}`,
      attribute,
    })),
  );
  const named = columns.map(({ name, attribute }, index) => ({
    name,
    attribute,
    column: `c${index}`,
  }));
  const selected = columns.map(({ sql }, index) => `${sql} as c${index}`).join(', ');
  const name = role.viewOf(model);
  const sql = `create view ${id(name)} as select ${selected} from ${from(model)} o
    ${joins.join(' ')} where ${role.condition(model, 'o', fixture)}`;
  return { name, sql, named };
}
