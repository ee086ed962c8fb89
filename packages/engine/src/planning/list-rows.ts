import type { AggregateOp, DateUnit } from '@proj/contract';

import type { DatabaseSession } from '../catalogue/database-session.ts';
import { accessOf, type Attribute, type Model } from '../catalogue/model.ts';
import type { DeprecationSettings } from '../catalogue/model-settings.ts';
import type { RelationPath } from '../catalogue/relation.ts';
import type { Condition, Join } from './condition.ts';

/** The rows of one table or view, as a model shows them, with those that they lead to. */
export interface TableRows {
  readonly kind: 'table';
  readonly model: Model;
  /** In an order in which each starts from the listed rows or from one before it. */
  readonly joins: readonly Join[];
}

/** Intervals of values, whose bounds are bound. Only facets have groups of them. */
export interface Bins {
  readonly bins: number;
  /** The place of the first bound in the key; behind the last bound comes their divisor. */
  readonly place: number;
}

/** An attribute that rows are grouped by. */
export interface Group {
  readonly name: string;
  readonly attribute: Attribute;
  /**
   * The part of time that its dates are cut to, or the bins of its values, which are numbered from
   * 1 on: 0 stands for none. Undefined where values are grouped as they are.
   */
  readonly by: DateUnit | Bins | undefined;
}

/** A value that is computed of the rows of each group. */
export interface Aggregate {
  readonly name: string;
  /** What a group of bins has `added` adds up to the sum of its values. */
  readonly op: AggregateOp | 'added';
  /** What it is of; undefined for the rows themselves. */
  readonly attribute: Attribute | undefined;
}

/**
 * Groups of the rows of a model. Their columns are `v0` and so on for the value of each group
 * attribute as it is shown, `g0` and so on for what makes it equal to others, and `a0` and so on
 * for each aggregate.
 */
export interface GroupRows {
  readonly kind: 'groups';
  /** The rows that are grouped. */
  readonly of: TableRows;
  /** Which of them; all where undefined. It includes the row policy. */
  readonly condition: Condition | undefined;
  readonly groups: readonly Group[];
  readonly aggregates: readonly Aggregate[];
}

/** Where the rows of a list come from. */
export type Rows = TableRows | GroupRows;

/** What holds for the rows of a list, whatever they are. */
export interface ListFacts {
  /** Whether the version of the data changes with each change of the rows. */
  readonly versioned: boolean;
  /** Whether several statements of one transaction see one state of them. */
  readonly hasSnapshots: boolean;
  /** As in {@link Model}: set where two reads in one snapshot may find different rows. */
  readonly varies: Model['varies'];
  /** Whether rows and total of a reply may be of different states. */
  readonly approximate: boolean;
  /**
   * The relation of which each row of the list is one row, so that the changes of the relation are
   * those of the list. Undefined for lists whose changes no change feed describes.
   */
  readonly followable: RelationPath | undefined;
  readonly deprecated: DeprecationSettings | null;
}

/** The rows of a list, and what follows from what they are. */
export interface ListRows<Of extends Rows = Rows> {
  /** The name of the model that a request asks for. */
  readonly name: string;
  readonly rows: Of;
  /** All models whose records the rows depend on, that of the list first. */
  readonly models: readonly Model[];
  /** The relations of those models. */
  readonly relations: readonly RelationPath[];
  readonly facts: ListFacts;
  /** As whom the database reads them; undefined where that is the service. */
  readonly session?: DatabaseSession;
}

/**
 * The rows of a model.
 *
 * @param joins the relations to one that are looked along
 * @param others the models of rows that the list depends on in other ways
 */
export function tableRows(
  model: Model,
  joins: readonly Join[] = [],
  others: readonly Model[] = [],
): ListRows<TableRows> {
  const models = [...new Set([model, ...joins.map(({ target }) => target), ...others])];
  const facts = factsOf(models);
  const isAlone = models.length === 1 && joins.length === 0;
  const isFollowable = isAlone && facts.versioned && facts.hasSnapshots && model.cut === undefined;
  const relations = [
    ...new Map(models.map((one) => [JSON.stringify(one.path), one.path])).values(),
  ];
  return {
    name: model.name,
    rows: { kind: 'table', model, joins },
    models,
    relations,
    facts: {
      ...facts,
      followable: isFollowable ? model.path : undefined,
      deprecated: model.deprecated,
    },
  };
}

/** @param models that of the list first */
function factsOf(
  models: readonly Model[],
): Pick<ListFacts, 'versioned' | 'hasSnapshots' | 'varies' | 'approximate'> {
  return {
    versioned: models.every((one) => one.versioned),
    hasSnapshots: models.every((one) => one.snapshots),
    varies: models[0]?.varies,
    approximate: models.some(({ distributed }) => distributed !== undefined),
  };
}

/**
 * The rows that the database shows to a caller. Its change feed describes them where it decides by
 * each row itself which of them these are.
 */
export function withSession(
  session: DatabaseSession | undefined,
  list: ListRows<TableRows>,
): ListRows<TableRows> {
  if (session === undefined) return list;
  const models = list.models.map((model) => asReadBy(session, model));
  const ofModels = factsOf(models);
  const isFollowable =
    ofModels.versioned && ofModels.hasSnapshots && isShownByRow(session, { ...list, models });
  const followable = isFollowable ? list.relations[0] : undefined;
  return { ...list, session, models, facts: { ...list.facts, ...ofModels, followable } };
}

/** Whether a row of a list is shown or not whatever other rows there are. */
function isShownByRow(
  session: DatabaseSession,
  { models: [model, ...others], rows }: ListRows<TableRows>,
): boolean {
  if (model === undefined || others.length > 0 || rows.joins.length > 0) return false;
  const { definition, decidesBy } = accessOf(model, session) ?? {};
  return definition === undefined || decidesBy !== undefined;
}

/** A model as it is to callers whose rows of it have a version, where those of others have none. */
function asReadBy(session: DatabaseSession, model: Model): Model {
  const definition = accessOf(model, session)?.definition;
  if (definition === undefined) return model;
  const { varies, ...rest } = model;
  const snapshots = rest.snapshots || varies?.inTransaction === true;
  return { ...rest, snapshots, versioned: true, definition };
}

/** The relations whose version is that of some rows; none for that of the whole database. */
export function versionScope({ session, models, relations }: ListRows): readonly RelationPath[] {
  return session === undefined || models.some(({ cut }) => cut !== undefined) ? relations : [];
}

/** The groups of some rows, whose changes no change feed describes. */
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
