import type {
  AggregateOp,
  DateUnit,
  FilterLeaf,
  GroupRequest,
  RequestedGroups,
  RequestedRelated,
  SortableType,
  TypeWithFacet,
  WireType,
} from '@proj/contract';
import { groupName } from '@proj/contract';

import type { ComparisonOf, QueryFilter } from './filter.ts';
import type { AnyModels, EndOf, ModelName, OwnName, ValueAt } from './models.ts';
import type { NameOfType, OpenName, WireTypeOf } from './typed-paths.ts';
import type { AnyExportQuery } from './list-query.ts';
import type { Sort } from './query.ts';

/** An attribute or a path, or dates cut to a part of time. */
export type GroupTerm<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Named extends string = string,
> =
  | NameOfType<Models, Model, TypeWithFacet<'values'>, Named>
  | {
      readonly attribute: NameOfType<Models, Model, 'date' | Timed, Named>;
      readonly by: Exclude<DateUnit, 'hour'>;
    }
  | { readonly attribute: NameOfType<Models, Model, Timed, Named>; readonly by: DateUnit }
  | {
      readonly attribute: NameOfType<Models, Model, 'timestamp_tz', Named>;
      readonly by: DateUnit;
      /** Whose days and hours, such as `Europe/Paris`. @default UTC */
      readonly time_zone?: string;
    };

type Timed = 'timestamp' | 'timestamp_tz';

export type AggregateTerm<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Named extends string = string,
> =
  | {
      readonly op: 'count';
      readonly attribute?: OwnName<Models, Model> | NameOfType<Models, Model, WireType, Named>;
    }
  | AggregateOf<'count_distinct', NameOfType<Models, Model, TypeWithFacet<'values'>, Named>>
  | AggregateOf<'min' | 'max', NameOfType<Models, Model, Exclude<SortableType, 'enum'>, Named>>
  | AggregateOf<'sum' | 'average', NameOfType<Models, Model, TypeWithFacet<'sum'>, Named>>;

interface AggregateOf<Op extends AggregateOp, Name> {
  readonly op: Op;
  readonly attribute: Name;
}

export type AggregateTerms<
  Models,
  Model extends ModelName<Models>,
  Named extends string = string,
> = Readonly<Record<string, AggregateTerm<Models, Model, Named>>>;

declare const none: unique symbol;

/** It has no member with a name. */
export type NoAggregates = Readonly<Partial<Record<typeof none, never>>>;

/** Such as `placed_at.month`. */
type NameOf<Term> = Term extends {
  attribute: infer Name extends string;
  by: infer By extends string;
}
  ? `${Name}.${By}`
  : Term & string;

/** By name; `never` where they are not known. */
type MemberTypes<Models, Model extends ModelName<Models>, Term, Aggregates> = {
  readonly [Each in Term as NameOf<Each>]: Each extends { readonly by: infer Unit }
    ? Unit extends 'hour'
      ? Timed
      : 'date'
    : TypeAt<Models, Model, NameOf<Each>>;
} & {
  readonly [Name in keyof Aggregates & string]: AggregateType<Models, Model, Aggregates[Name]>;
};

export type AggregateType<Models, Model extends ModelName<Models>, Term> = Term extends {
  readonly op: infer Op;
  readonly attribute?: infer Path extends string;
}
  ? Op extends 'min' | 'max'
    ? TypeAt<Models, Model, Path>
    : Op extends 'sum' | 'average'
      ? 'decimal'
      : 'int64'
  : 'int64';

type TypeAt<Models, Model extends ModelName<Models>, Path extends string> =
  EndOf<Models, Model, Path> extends readonly [infer Entity, infer Name]
    ? Name extends Exclude<keyof Entity, OpenName<Entity>>
      ? WireTypeOf<Entity, Name>
      : never
    : never;

/** `Members` are wire types by name; `never` takes any operator and value. */
export type GroupFilter<Members> =
  | { [Name in keyof Members]: MemberComparison<Name, Members[Name]> }[keyof Members]
  | { readonly and: readonly GroupFilter<Members>[] }
  | { readonly or: readonly GroupFilter<Members>[] }
  | { readonly not: GroupFilter<Members> };

type MemberComparison<Name, Type> = [Type] extends [never]
  ? FilterLeaf & { readonly attribute: Name }
  : Type extends WireType
    ? ComparisonOf<Name, Type>
    : never;

type SortableMember<Members> = {
  [Name in keyof Members]: [Members[Name]] extends [SortableType] ? Name : never;
}[keyof Members];

type NamedIn<Term> = Term extends string
  ? Term
  : Term extends { readonly attribute?: infer Name extends string }
    ? Name
    : never;

export interface GroupsQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Term extends GroupTerm<Models, Model> = GroupTerm<Models, Model>,
  Aggregates extends AggregateTerms<Models, Model> = AggregateTerms<Models, Model>,
  Named extends string = string,
> {
  readonly model: Model;
  /** 1 to 5 terms. NULL is a group. */
  readonly by: readonly (Term & NoInfer<GroupTerm<Models, Model, NamedIn<Term>>>)[];
  /** At most 10. @default nothing */
  readonly aggregates?: Aggregates &
    NoInfer<AggregateTerms<Models, Model, NamedIn<Aggregates[keyof Aggregates]>>>;
  /** Which records to group. @default all records */
  readonly filter?: QueryFilter<Models, Model, Named>;
  /** Which groups to keep. @default all groups */
  readonly groupFilter?: GroupFilter<MemberTypes<Models, Model, Term, NoInfer<Aggregates>>>;
  /** At most 5 terms, followed by the groups themselves. @default the order of the groups */
  readonly sort?: readonly (Omit<Sort, 'attribute'> & {
    readonly attribute: SortableMember<MemberTypes<Models, Model, Term, NoInfer<Aggregates>>>;
  })[];
  /** Groups per page, at most the model's `max_page_size`. @default 100 */
  readonly size?: number;
}

/** The values that its records share, and the aggregates. Counts are bigints. */
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

export type AggregateValue<Models, Model extends ModelName<Models>, Term> = Term extends {
  op: 'count' | 'count_distinct';
}
  ? bigint
  : Term extends { op: 'sum' | 'average' }
    ? string | null
    : Term extends { attribute: infer Path extends string }
      ? ValueAt<Models, Model, Path> | null
      : unknown;

export interface AnyGroupsQuery extends Omit<
  GroupsQuery<AnyModels, string>,
  'by' | 'aggregates' | 'groupFilter' | 'sort'
> {
  readonly by: readonly (string | GroupRequest)[];
  readonly aggregates?: RequestedGroups['aggregates'];
  readonly groupFilter?: QueryFilter;
  readonly sort?: readonly Sort[];
  readonly related?: RequestedRelated;
}

export function groupList({
  model,
  by,
  aggregates = {},
  filter,
  groupFilter,
  sort,
  related,
}: AnyGroupsQuery): AnyExportQuery & { readonly groups: RequestedGroups } {
  const names = by.map((term) => (typeof term === 'string' ? term : groupName(term)));
  const groups = { by, aggregates, ...(groupFilter && { filter: groupFilter }) };
  const attributes = [...names, ...Object.keys(aggregates)];
  const others = { ...(filter && { filter }), ...(sort && { sort }), ...(related && { related }) };
  return { model, attributes, groups, ...others };
}

/** Its counts, and extremes of counts. */
export function countNames({ attributes, groups, related }: CountedList): string[] {
  const isCount = (name = ''): boolean => COUNTS.has(termIn(related, name)?.op);
  return attributes.filter((name) => {
    const { op, attribute } = termIn(groups?.aggregates, name) ?? {};
    if (op === undefined) return isCount(name);
    return COUNTS.has(op) || (EXTREMES.has(op) && isCount(attribute));
  });
}

export type CountedList = Pick<AnyExportQuery, 'attributes' | 'groups' | 'related'>;

const COUNTS: ReadonlySet<AggregateOp | undefined> = new Set(['count', 'count_distinct']);
const EXTREMES: ReadonlySet<AggregateOp | undefined> = new Set(['min', 'max']);

function termIn<Term>(terms: Readonly<Record<string, Term>> = {}, name: string): Term | undefined {
  return Object.hasOwn(terms, name) ? terms[name] : undefined;
}

/** The model's attribute behind a member, or that of a related model, if it has its values. */
export function sourceOf(name: string, { groups, related }: CountedList): Source | undefined {
  const { op, attribute } = termIn(groups?.aggregates, name) ?? {};
  const isValue = groups === undefined || groups.by.some((term) => term === name);
  const source = op === undefined ? (isValue ? name : undefined) : attribute;
  if (source === undefined || (op !== undefined && !EXTREMES.has(op))) return undefined;
  const counted = termIn(related, source);
  if (counted === undefined) return { attribute: source };
  if (!EXTREMES.has(counted.op) || counted.attribute === undefined) return undefined;
  return { attribute: counted.attribute, related: counted.related };
}

interface Source {
  readonly attribute: string;
  /** The name that filters have for the records of its model. Default: of the list itself. */
  readonly related?: string;
}
