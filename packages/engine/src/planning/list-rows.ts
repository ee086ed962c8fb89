import type { AggregateOp, DateUnit } from '@proj/contract';

import type { DatabaseSession } from '../catalogue/database-session.ts';
import {
  accessOf,
  type Attribute,
  type Missing,
  type Model,
  relationsOf,
} from '../catalogue/model.ts';
import type { DeprecationSettings } from '../catalogue/model-settings.ts';
import type { ComputedValue, RelationPath } from '../catalogue/relation.ts';
import type { Condition, Join, RelatedValue } from './condition.ts';

/** A model's table or view, with the rows they lead to. */
export interface TableRows {
  readonly kind: 'table';
  readonly model: Model;
  /** Each starts from the listed rows or an earlier one. */
  readonly joins: readonly Join[];
  /** What the list computes in any of its rows and those that they lead to. Default: nothing. */
  readonly computed?: readonly ComputedValue[];
  /** By column, which the model does not have. Default: none. */
  readonly related?: ReadonlyMap<string, RelatedValue>;
}

/** Parts of time begin on Mondays, and an hour with its first moment in its period of the zone. */
export interface Cut {
  readonly unit: DateUnit;
  /** Whose days and hours they are. Default: those of UTC. */
  readonly zone?: string | undefined;
}

/** Intervals with bound bounds, only in groups of facets. */
export interface Bins {
  readonly bins: number;
  /** Whose local times show their bounds. Default: UTC. */
  readonly zone?: string | undefined;
  /** The first bound's place in the key; the divisor follows the last. */
  readonly place: number;
}

export interface Group {
  readonly name: string;
  readonly attribute: Attribute;
  /** Bins from 1, with 0 for none. Default: the values. */
  readonly by: Cut | Bins | undefined;
}

export interface Aggregate {
  readonly name: string;
  /** What bins have `added` adds up to the sum. */
  readonly op: AggregateOp | 'added';
  readonly attribute: Attribute | undefined;
}

/** Columns: shown groups `v0` …, what makes them equal `g0` …, aggregates `a0` …. */
export interface GroupRows {
  readonly kind: 'groups';
  readonly of: TableRows;
  readonly condition: Condition | undefined;
  readonly groups: readonly Group[];
  readonly aggregates: readonly Aggregate[];
}

export type Rows = TableRows | GroupRows;

export interface ListFacts {
  readonly versioned: boolean;
  readonly hasSnapshots: boolean;
  /** As in {@link Model}: set where reads of one snapshot may differ. */
  readonly varies: Model['varies'];
  readonly approximate: boolean;
  /** The relation whose changes are the list's. Undefined where no feed describes them. */
  readonly followable: RelationPath | undefined;
  /** Whether functions may decide, which others replace without a change of the relations. */
  readonly mayCall: boolean;
  readonly deprecated: DeprecationSettings | null;
}

export interface ListRows<Of extends Rows = Rows> {
  readonly name: string;
  readonly rows: Of;
  /** Models the rows depend on, the list's first. */
  readonly models: readonly Model[];
  readonly relations: readonly RelationPath[];
  readonly facts: ListFacts;
  readonly session?: DatabaseSession;
  /** What it reads and the database lacks. */
  readonly missing?: Missing | undefined;
}

export interface OtherRows {
  readonly models: Iterable<Model>;
  /** The values of computed columns that it names. */
  readonly computed: Iterable<ComputedValue>;
  readonly related?: ReadonlyMap<string, RelatedValue>;
}

export function tableRows(
  model: Model,
  joins: readonly Join[] = [],
  { related, ...others }: OtherRows = { models: [], computed: [] },
): ListRows<TableRows> {
  const computed = [...others.computed];
  const rows: TableRows = {
    kind: 'table',
    model,
    joins,
    ...(computed.length > 0 && { computed }),
    ...(related && related.size > 0 && { related }),
  };
  const models = [...new Set([model, ...joins.map(({ target }) => target), ...others.models])];
  const facts = factsOf(models, computed);
  const isAlone = models.length === 1 && areStored(rows) && model.cut === undefined;
  const isFollowable = isAlone && facts.versioned && facts.hasSnapshots;
  const paths = models.flatMap((one) => relationsOf(one).map(({ path }) => path));
  const relations = [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
  return {
    name: model.name,
    rows,
    models,
    relations,
    facts: {
      ...facts,
      followable: isFollowable ? model.path : undefined,
      deprecated: model.deprecated,
    },
  };
}

/** No change feed describes others. */
function areStored({ model, joins, computed, related }: TableRows): boolean {
  const isPlain = model.selection === undefined && joins.length === 0;
  return isPlain && computed === undefined && related === undefined;
}

/** What makes a column that no relation stores. */
export function valueIn({ model, related }: TableRows, column: string) {
  return related?.get(column) ?? model.columns.get(column)?.computed;
}

/** Values that may read other rows are read in one statement, which sees one state. */
function factsOf(models: readonly Model[], computed: readonly ComputedValue[] = []) {
  const areOfRows = computed.every((value) => value.isOfRow);
  return {
    versioned: models.every((one) => one.versioned) && areOfRows,
    hasSnapshots: models.every((one) => one.snapshots) && areOfRows,
    varies: models[0]?.varies,
    mayCall:
      models.some(({ selection }) => selection !== undefined) ||
      computed.some((value) => value.mayCall === true),
    approximate: models.some(({ distributed }) => distributed !== undefined),
  };
}

/** The rows shown to a caller. The feed describes them if each row alone decides. */
export function withSession(
  session: DatabaseSession | undefined,
  list: ListRows<TableRows>,
): ListRows<TableRows> {
  if (session === undefined) return list;
  const models = list.models.map((model) => asReadBy(session, model));
  const ofModels = factsOf(models, list.rows.computed);
  const isFollowable =
    ofModels.versioned && ofModels.hasSnapshots && isShownByRow(session, { ...list, models });
  const followable = isFollowable ? list.relations[0] : undefined;
  return { ...list, session, models, facts: { ...list.facts, ...ofModels, followable } };
}

function isShownByRow(
  session: DatabaseSession,
  { models: [model, ...others], rows }: ListRows<TableRows>,
): boolean {
  if (model === undefined || others.length > 0 || !areStored(rows)) return false;
  const { definition, decidesBy } = accessOf(model, session) ?? {};
  return definition === undefined || decidesBy !== undefined;
}

/** Where some callers' rows have versions, a model may be versioned only for them. */
function asReadBy(session: DatabaseSession, model: Model): Model {
  // Other policies may decide which rows a selection reads.
  if (model.selection !== undefined) return { ...model, snapshots: false, versioned: false };
  const definition = accessOf(model, session)?.definition;
  if (definition === undefined) return model;
  const { varies, ...rest } = model;
  const snapshots = rest.snapshots || varies?.inTransaction === true;
  return { ...rest, snapshots, versioned: true, definition };
}

/** None for the version of the whole database. */
export function versionScope(list: ListRows): readonly RelationPath[] {
  const { session, models, relations, facts } = list;
  const isOfOwn = session === undefined && !facts.mayCall;
  return isOfOwn || models.some(({ cut }) => cut !== undefined) ? relations : [];
}

/** No change feed describes groups. */
export function groupRows(
  { rows: of, facts, ...list }: ListRows<TableRows>,
  parts: Omit<GroupRows, 'kind' | 'of'>,
): ListRows<GroupRows> {
  return {
    ...list,
    rows: { kind: 'groups', of, ...parts },
    facts: { ...facts, followable: undefined },
  };
}
