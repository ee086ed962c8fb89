import type {
  AggregateOp,
  DateUnit,
  FilterLeaf,
  GroupRequest,
  RequestedGroups,
  WireType,
} from '@proj/contract';
import { groupName } from '@proj/contract';

import type { QueryFilter } from './filter.ts';
import type { AnyModels, AttributeName, ModelName, OwnName } from './models.ts';
import type { KnownPath, ValueAt } from './paths/paths.ts';
import type { FarPath, PathOfType } from './paths/typed-paths.ts';
import type { OpenName } from './wire-type-of.ts';
import type { AnyExportQuery } from './export-options.ts';
import type { Sort } from './query.ts';

/** The wire types of numbers, which have sums and averages. */
type Added = 'int32' | 'int64' | 'decimal' | 'float64';

/** What to group by: an attribute or a path, or dates cut to a part of time. */
export type GroupTerm<Models = AnyModels, Model extends ModelName<Models> = ModelName<Models>> =
  | AttributeName<Models, Model>
  | { readonly attribute: NameOfType<Models, Model, Dated>; readonly by: DateUnit };

type Dated = 'date' | 'timestamp' | 'timestamp_tz';

/** Attributes and paths that may have one of some types; any where models are not declared. */
type NameOfType<Models, Model extends ModelName<Models>, Type extends WireType> =
  string extends OwnName<Models, Model>
    ? string
    : PathOfType<Models, Model, Type> | OpenName<Models[Model]> | FarPath<Models, Model>;

/** What is computed of the records of a group. */
export type AggregateTerm<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
> =
  | { readonly op: 'count'; readonly attribute?: AttributeName<Models, Model> }
  | {
      readonly op: 'count_distinct' | 'min' | 'max';
      readonly attribute: AttributeName<Models, Model>;
    }
  | { readonly op: 'sum' | 'average'; readonly attribute: NameOfType<Models, Model, Added> };

/** Aggregates by the names of their members in a group. */
export type AggregateTerms<Models, Model extends ModelName<Models>> = Readonly<
  Record<string, AggregateTerm<Models, Model>>
>;

declare const none: unique symbol;

/** Aggregates of which there are none: it has no member with a name. */
export type NoAggregates = Readonly<Partial<Record<typeof none, never>>>;

/** The name of a group attribute: `placed_at.month`. */
type NameOf<Term> = Term extends {
  attribute: infer Name extends string;
  by: infer By extends string;
}
  ? `${Name}.${By}`
  : Term & string;

/** The name of a member of a group. */
type MemberName<Term, Aggregates> = NameOf<Term> | (keyof Aggregates & string);

/** A filter of groups: comparisons of group attributes and aggregates, or a tree of them. */
export type GroupFilter<Name extends string> =
  | (FilterLeaf & { readonly attribute: Name })
  | { readonly and: readonly GroupFilter<Name>[] }
  | { readonly or: readonly GroupFilter<Name>[] }
  | { readonly not: GroupFilter<Name> };

/** Groups of a model's records. */
export interface GroupsQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Term extends GroupTerm<Models, Model> = GroupTerm<Models, Model>,
  Aggregates extends AggregateTerms<Models, Model> = AggregateTerms<Models, Model>,
> {
  /** Name of the data model. */
  readonly model: Model;
  /** What to group by, 1 to 5 terms. NULL is a group. */
  readonly by: readonly (Term & KnownTerm<Models, Model, Term>)[];
  /**
   * What to compute of each group, at most 10.
   *
   * @default nothing
   */
  readonly aggregates?: Aggregates;
  /**
   * Which records to group.
   *
   * @default all records
   */
  readonly filter?: QueryFilter<Models, Model>;
  /**
   * Which groups to keep.
   *
   * @default all groups
   */
  readonly groupFilter?: GroupFilter<MemberName<Term, NoInfer<Aggregates>>>;
  /**
   * The order, at most 5 terms. The groups themselves always follow, so that no two tie.
   *
   * @default the order of the groups
   */
  readonly sort?: readonly (Omit<Sort, 'attribute'> & {
    readonly attribute: MemberName<Term, NoInfer<Aggregates>>;
  })[];
  /**
   * Maximum number of groups per page, 1 to the model's `max_page_size`.
   *
   * @default 100
   */
  readonly size?: number;
}

/** A term whose path leads to an attribute. */
type KnownTerm<Models, Model extends ModelName<Models>, Term> = Term extends string
  ? KnownPath<Models, Model, Term>
  : Term;

/** One group: the values that its records share, and the aggregates. Counts are bigints. */
export type GroupOf<
  Models,
  Model extends ModelName<Models>,
  Term,
  Aggregates extends AggregateTerms<Models, Model>,
> = Readonly<
  {
    [Each in Term as NameOf<Each>]: Each extends string
      ? ValueAt<Models, Model, Each> | null
      : string | null;
  } & { [Name in keyof Aggregates & string]: AggregateValue<Models, Model, Aggregates[Name]> }
>;

type AggregateValue<Models, Model extends ModelName<Models>, Term> = Term extends {
  op: 'count' | 'count_distinct';
}
  ? bigint
  : Term extends { op: 'sum' | 'average' }
    ? string | null
    : Term extends { attribute: infer Path extends string }
      ? ValueAt<Models, Model, Path> | null
      : unknown;

/** Groups as the code inside reads them. */
export interface AnyGroupsQuery extends Omit<
  GroupsQuery<AnyModels, string>,
  'by' | 'aggregates' | 'groupFilter' | 'sort'
> {
  readonly by: readonly (string | GroupRequest)[];
  readonly aggregates?: RequestedGroups['aggregates'];
  readonly groupFilter?: QueryFilter;
  readonly sort?: readonly Sort[];
}

/** The list of groups that a query asks for: all that they have. */
export function groupList({
  model,
  by,
  aggregates = {},
  filter,
  groupFilter,
  sort,
}: AnyGroupsQuery): AnyExportQuery & { readonly groups: RequestedGroups } {
  const names = by.map((term) => (typeof term === 'string' ? term : groupName(term)));
  const groups = { by, aggregates, ...(groupFilter && { filter: groupFilter }) };
  const attributes = [...names, ...Object.keys(aggregates)];
  return { model, attributes, groups, ...(filter && { filter }), ...(sort && { sort }) };
}

/** Those of the aggregates of a list that are counts. */
export function countNames({ aggregates }: RequestedGroups): string[] {
  const counts: readonly AggregateOp[] = ['count', 'count_distinct'];
  return Object.entries(aggregates).flatMap(([name, { op }]) => (counts.includes(op) ? name : []));
}

/**
 * The attribute whose values a member of a group has; undefined for parts of dates, counts, sums
 * and averages.
 */
export function sourceOf(name: string, { by, aggregates }: RequestedGroups): string | undefined {
  const { op, attribute } = aggregates[name] ?? {};
  if (op !== undefined) return op === 'min' || op === 'max' ? attribute : undefined;
  return by.find((term) => term === name) === undefined ? undefined : name;
}
