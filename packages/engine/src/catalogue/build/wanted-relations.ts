import { nameText, nameTexts } from '@proj/contract';

import type { Model } from '../model.ts';
import type {
  CatalogueReport,
  ExposeSettings,
  ModelError,
  RelationSettings,
} from '../model-settings.ts';
import { pairsOf } from '../references.ts';
import type { ForeignKey, Relation, RelationPath } from '../relation.ts';

export interface WantedRelation {
  readonly model: Model;
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly operators?: readonly string[] | undefined;
  readonly target: Model | undefined;
  readonly inverse?: string | undefined;
  readonly foreignKey?: ForeignKey | undefined;
  readonly isDeclared: boolean;
}

export interface RelationMistake extends Omit<ModelError, 'path'> {
  readonly model: string;
  readonly place: readonly string[];
}

export class RelationSources {
  readonly reports: CatalogueReport[] = [];
  readonly #models: ReadonlyMap<string, Model>;
  readonly #showing: ReadonlyMap<string, readonly Model[]>;
  readonly #relations: ReadonlyMap<string, Relation>;
  readonly #settings: ExposeSettings;

  constructor(
    models: ReadonlyMap<string, Model>,
    relations: readonly Relation[],
    settings: ExposeSettings,
  ) {
    this.#models = models;
    this.#showing = Map.groupBy(models.values(), ({ path }) => textOf(path));
    this.#relations = new Map(relations.map((relation) => [textOf(relation.path), relation]));
    this.#settings = settings;
  }

  relationOf({ path }: Model): Relation | undefined {
    return this.#relations.get(textOf(path));
  }

  wantedOf(model: Model): WantedRelation[] {
    const settings = Object.entries(this.#settings.models[model.name]?.relations ?? {});
    const declared = settings.flatMap(([name, one]) => this.#declared(model, name, one) ?? []);
    const others = model.foreignKeys.filter(
      (foreignKey) => !declared.some((one) => one.foreignKey === foreignKey),
    );
    return [...declared, ...withoutRepeats(others).map((one) => this.#referring(model, one))];
  }

  report({ model, place, problem, remedy }: RelationMistake): void {
    if (!Object.hasOwn(this.#settings.models, model)) return;
    const path = ['models', model, 'relations', ...place];
    this.reports.push({ model, path, problem, remedy, listed: true });
  }

  #declared(model: Model, name: string, declared: RelationSettings): WantedRelation | undefined {
    const refuse = (member: string, why: string): undefined => {
      this.report(mistakeIn({ model, name }, [member], why));
    };
    const target = this.#models.get(declared.model);
    if (target === undefined) {
      const models = nameTexts([...this.#models.keys()].slice(0, MOST_NAMES));
      return refuse('model', `no model is named "${declared.model}"; there are ${models}`);
    }
    const columns = columnsOf(model, declared.attributes);
    if (columns === undefined) return refuse('attributes', otherAttributes(model));
    const key = columnsOf(target, declared.key);
    if (key === undefined) return refuse('key', otherAttributes(target));
    if (columns.length !== key.length || columns.length === 0)
      return refuse('key', 'it has to name as many attributes as "attributes" does');
    const pairs = pairsOf({ columns, key });
    const foreignKey = model.foreignKeys.find(
      (one) => pairsOf(one) === pairs && textOf(one.relation) === textOf(target.path),
    );
    const { operators } = foreignKey ?? {};
    const { inverse } = declared;
    return { model, name, columns, key, operators, target, inverse, foreignKey, isDeclared: true };
  }

  #referring(model: Model, foreignKey: ForeignKey): WantedRelation {
    const { columns, key, operators } = foreignKey;
    const target = this.#targetOf(foreignKey);
    const name = nameOf(columns, target?.name ?? foreignKey.relation.at(-1) ?? '');
    return { model, name, columns, key, operators, target, foreignKey, isDeclared: false };
  }

  /** Among models that show a relation, the one with its name, else the first. */
  #targetOf({ relation }: ForeignKey): Model | undefined {
    const text = textOf(relation);
    const showing = this.#showing.get(text) ?? [];
    const name = this.#relations.get(text)?.name;
    return showing.find((model) => model.name === name) ?? showing[0];
  }
}

const MOST_NAMES = 20;

export function mistakeIn(
  { model, name }: Pick<WantedRelation, 'model' | 'name'>,
  member: readonly string[],
  why: string,
): RelationMistake {
  const problem = `${nameText(name)} is no relation to one: ${why}.`;
  const remedy = 'Correct it, or leave it out.';
  return { model: model.name, place: [name, ...member], problem, remedy };
}

function otherAttributes({ name, attributes }: Model): string {
  const names = nameTexts([...attributes.keys()].slice(0, MOST_NAMES));
  return `${nameText(name)} has other attributes: ${names}`;
}

/** `customer` for `customer_id` and `customerId`; the model's name for several columns. */
function nameOf([column = '', ...others]: readonly string[], model: string): string {
  const name = column.replace(/_id$/i, '').replace(/(?<=[a-z\d])I[dD]$/, '');
  return others.length > 0 || /^(id)?$/i.test(name) ? model : name;
}

function textOf(path: RelationPath): string {
  return JSON.stringify(path);
}

/** A schema may have a foreign key twice. */
function withoutRepeats(foreignKeys: readonly ForeignKey[]): ForeignKey[] {
  const byEnds = Map.groupBy(foreignKeys, (one) => JSON.stringify([one.relation, pairsOf(one)]));
  return [...byEnds.values()].flatMap((same) => same.slice(0, 1));
}

function columnsOf({ attributes }: Model, names: readonly string[]): string[] | undefined {
  const columns = names.flatMap((name) => attributes.get(name)?.column ?? []);
  return columns.length === names.length ? columns : undefined;
}
