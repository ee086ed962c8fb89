import type { Filter } from '@proj/contract';
import { Grant, type ModelGrant } from '@proj/engine';

import type { Attribute, Model, ToOne } from '../../../../engine/src/catalogue/model.ts';
import type { Fixture } from '../../fixtures/fixture.ts';

type Models = ReadonlyMap<string, Model>;

/** What a role sees of each model, for the engine and for SQL that is written here. */
export class Role {
  readonly name: string;
  readonly grant: Grant;
  readonly models: Models;
  readonly #hidden: ReadonlySet<string>;
  readonly #policies: ReadonlyMap<string, Policy>;

  constructor(
    name: string,
    models: Models,
    { hidden = new Set(), policies = new Map() }: Partial<Pick<Limits, 'hidden' | 'policies'>> = {},
  ) {
    this.name = name;
    this.models = models;
    this.#hidden = hidden;
    this.#policies = policies;
    this.grant = new Grant(new Map([...this.#grants(), ...this.#viewGrants()]));
  }

  /** The attributes of a model that the role sees. */
  attributesOf({ name, attributes }: Model): Attribute[] {
    return [...attributes.values()].filter((one) => !this.#hidden.has(`${name}.${one.name}`));
  }

  /** Whether the role sees all attributes at both ends of a relation. */
  sees(model: Model, { columns, model: target, key }: ToOne): boolean {
    const end = this.models.get(target);
    const shows = (one: Model, names: readonly string[]): boolean => {
      const seen = new Set(this.attributesOf(one).map(({ column }) => column));
      return names.every((column) => seen.has(column));
    };
    const keys = key.map(({ column }) => column);
    return end !== undefined && shows(model, columns) && shows(end, keys);
  }

  /** The condition of the records that the role sees, of rows under an alias. */
  condition({ name }: Model, alias: string, fixture: Fixture): string {
    const policy = this.#policies.get(name);
    if (policy === undefined) return '1 = 1';
    return `${alias}.${fixture.identifier(policy.column)} > ${policy.value}`;
  }

  viewOf(model: Model): string {
    return `seen_${this.name}_${[...this.models.keys()].indexOf(model.name)}`;
  }

  #grants(): [string, ModelGrant][] {
    return [...this.models.values()].map((model) => {
      const attributes = new Set(this.attributesOf(model).map(({ name }) => name));
      const rowPolicy = this.#policies.get(model.name)?.filter;
      return [model.name, { attributes, ...(rowPolicy && { rowPolicy }) }];
    });
  }

  #viewGrants(): [string, ModelGrant][] {
    return [...this.models.values()].map((one) => [this.viewOf(one), { attributes: 'all' }]);
  }
}

/** Records whose value of a column is greater than a number. */
interface Policy {
  readonly column: string;
  readonly value: string;
  readonly filter: Filter;
}

/** What a role does not see. */
export interface Limits {
  /** `model.attribute` of each attribute that is hidden. */
  readonly hidden: ReadonlySet<string>;
  /** The records of a model that are shown. */
  readonly policies: ReadonlyMap<string, Policy>;
}

/** Numbers below one, the same for the same seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Hides a tenth of the attributes beyond the key of each model, and shows of half of the models
 * only the records whose first whole number is greater than that of a third of them.
 */
export async function someLimits(
  models: Models,
  random: () => number,
  thirdOf: (model: Model, attribute: string) => Promise<number | string | undefined>,
): Promise<Limits> {
  const hidden = new Set<string>();
  const policies = new Map<string, Policy>();
  for (const model of models.values()) {
    const key = new Set(model.key.map(({ column }) => column));
    for (const { name, column } of model.attributes.values())
      if (!key.has(column) && random() < 0.1) hidden.add(`${model.name}.${name}`);
    const number = [...model.attributes.values()].find(({ type }) => type.startsWith('int'));
    if (number === undefined || random() < 0.5) continue;
    const value = await thirdOf(model, number.name);
    if (value === undefined) continue;
    const filter: Filter = { attribute: number.name, op: 'gt', value };
    policies.set(model.name, { column: number.column, value: String(value), filter });
  }
  return { hidden, policies };
}
