import {
  type AggregateOp,
  AGGREGATES,
  aggregatesOf,
  groupName,
  type GroupRequest,
  isGroupable,
  nameText,
  type RequestError,
  unitsOf,
} from '@proj/contract';

import { type Attribute, attributeTerm, type Model, type OrderTerm } from '../catalogue/model.ts';
import type { RequestMembers } from './check-names.ts';
import type { Aggregate, Group } from './list-rows.ts';
import { readZone } from './zones/time-zone.ts';
import { type ConditionNames, type ListNames, type ResolvedName } from './resolved-name.ts';
import { quote, suggestion } from './unknown-name.ts';

type AggregateRequest = NonNullable<RequestMembers['query_aggregates']>[number];

export class GroupNames implements ListNames {
  readonly model: Model;
  readonly errors: RequestError[] = [];
  readonly defaultOrder: readonly OrderTerm[];
  readonly key: readonly OrderTerm[];
  readonly columns: { readonly groups: Group[]; readonly aggregates: Aggregate[] };
  readonly #names: ListNames;
  readonly #known = new Map<string, Attribute>();
  /** Named, they add no other error. */
  readonly #refused = new Map<string, RequestError>();

  private constructor(
    { query_groups: groups = [], query_aggregates: aggregates = [] }: RequestMembers,
    names: ListNames,
  ) {
    this.model = names.model;
    this.#names = names;
    this.columns = {
      groups: groups.flatMap((group, index) => this.#group(group, index) ?? []),
      aggregates: aggregates.flatMap((one, index) => this.#aggregate(one, index) ?? []),
    };
    const values = this.columns.groups.flatMap(({ name }) => this.#known.get(name) ?? []);
    this.defaultOrder = values.map((attribute) => attributeTerm(attribute, 'asc'));
    this.key = values.map((_, index) => ({ ...KEY_TERM, column: `g${index}` }));
  }

  static of(members: RequestMembers, names: ListNames): GroupNames | undefined {
    return members.query_groups && new GroupNames(members, names);
  }

  resolve(name: string, pointer: string): ResolvedName {
    const attribute = this.#known.get(name);
    if (attribute !== undefined) return { attribute };
    const refused = this.#refused.get(name);
    if (refused !== undefined) return { error: refused };
    const detail = `No group attribute or aggregate of the request is named ${quote(name)}.`;
    const meant = suggestion(name, [...this.#known.keys()]);
    return { error: { pointer, code: 'unknown_attribute', detail, ...meant } };
  }

  #group(group: GroupRequest, index: number): Group | undefined {
    const { by } = group;
    const name = groupName(group);
    const pointer = `/query_groups/${index}${by === undefined ? '' : '/attribute'}`;
    const { attribute, error } = this.#names.resolve(group.attribute, pointer);
    if (error !== undefined) return this.#refuse(name, error);
    const { type, items } = attribute;
    const units = unitsOf(type);
    if (!isGroupable(type, items)) {
      const detail = `${nameText(attribute.name)} is ${type}, which has no groups.`;
      return this.#refuse(name, { pointer, code: 'not_groupable', detail });
    }
    if (by !== undefined && !units.includes(by)) {
      const takes = units.length === 0 ? 'has no parts of time' : `takes ${units.join(', ')}`;
      const detail = `${nameText(attribute.name)} is ${type}, which ${takes}.`;
      const at = `/query_groups/${index}/by`;
      return this.#refuse(name, { pointer: at, code: 'not_groupable', detail });
    }
    const at = { pointer: `/query_groups/${index}/time_zone`, isPart: by !== undefined };
    const read = readZone(group.time_zone, attribute, at);
    if (read.error !== undefined) return this.#refuse(name, read.error);
    const zone = read.zone?.name;
    const value = asComputed(attribute);
    const ofHour = by === 'hour' ? { ...value, zone } : undefined;
    const ofDay = by && ({ ...value, type: 'date', databaseType: 'date' } as const);
    this.#known.set(name, groupColumn(ofHour ?? ofDay ?? value, name, `v${index}`));
    return { name, attribute, by: by && { unit: by, zone } };
  }

  #aggregate({ name, ...asked }: AggregateRequest, index: number): Aggregate | undefined {
    const planned = planAggregate(asked, this.#names, `/query_aggregates/${index}`);
    if (planned === undefined) return undefined;
    if ('error' in planned) return this.#refuse(name, planned.error);
    this.#known.set(name, groupColumn(planned.shown, name, `a${index}`));
    return { name, op: asked.op, attribute: planned.attribute };
  }

  #refuse(name: string, error: RequestError): undefined {
    this.#refused.set(name, error);
    this.errors.push(error);
  }
}

/** Undefined without an attribute that it needs. */
export function planAggregate(
  { op, attribute: name }: Omit<AggregateRequest, 'name'>,
  names: ConditionNames,
  pointer: string,
) {
  if (name === undefined)
    return AGGREGATES[op].attribute === 'required'
      ? undefined
      : { attribute: undefined, shown: COUNT };
  const { attribute, error } = names.resolve(name, `${pointer}/attribute`);
  if (error !== undefined) return { error };
  const ops = aggregatesOf(attribute.type, attribute.items);
  if (ops.includes(op)) return { attribute, shown: shownAggregate(attribute, op) };
  const detail = `${nameText(name)} is ${attribute.type}; it has ${ops.join(', ')}.`;
  const refused: RequestError = { pointer: `${pointer}/op`, code: 'not_groupable', detail };
  return { error: refused };
}

export function groupColumn(attribute: Attribute, name: string, column: string): Attribute {
  const { join: _, ...own } = attribute;
  return { ...own, name, column, nullable: true, description: null, deprecated: null };
}

/** Groups have no ties; this only says where NULL is. */
const KEY_TERM = { direction: 'asc', nulls: 'last', nullable: true } as const;

export const COUNT: Attribute = {
  name: '',
  column: '',
  type: 'int64',
  items: undefined,
  databaseType: 'bigint',
  extremes: [],
  storedAs: undefined,
  nullable: false,
  description: null,
  deprecated: null,
};

/** Computed dates are in their compared form. */
export function asComputed(attribute: Attribute): Attribute {
  return { ...attribute, storedAs: attribute.storedAs && 'compared' };
}

function shownAggregate(attribute: Attribute, op: AggregateOp): Attribute {
  if (op === 'count' || op === 'count_distinct') return COUNT;
  if (op === 'min' || op === 'max') return asComputed(attribute);
  const [, scale = '0'] = /^(?:numeric|decimal)\(\d+, *(\d+)\)/.exec(attribute.databaseType) ?? [];
  const { extremes } = attribute;
  const databaseType = attribute.type === 'float64' ? 'double precision' : `decimal(65,${scale})`;
  return { ...COUNT, type: 'decimal', databaseType, extremes, aggregate: op };
}
