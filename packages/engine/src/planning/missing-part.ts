import type { Missing, Model } from '../catalogue/model.ts';
import {
  type Comparison,
  type Condition,
  type Join,
  leavesOf,
  type Referred,
} from './condition.ts';
import type { GroupRows, TableRows } from './list-rows.ts';
import type { FacetsPlan } from './plan-facets.ts';
import type { Plan } from './plan.ts';

/**
 * What of the models is missing, where the plan needs any of it; undefined for a plan that needs
 * only what the database has at the moment.
 */
export function missingPart(plan: Plan): Missing | undefined {
  const { rows } = plan;
  if (rows.kind === 'groups') return missingOfGroups(rows);
  return missingOf(rows, neededColumns(plan), leavesOf(plan.condition));
}

function missingOfGroups(rows: GroupRows): Missing | undefined {
  return missingOf(rows.of, groupedColumns(rows), leavesOf(rows.condition));
}

/** A column, and the number of the join whose rows have it; that of the listed rows without. */
export interface NamedColumn {
  readonly column: string;
  readonly join?: number;
}

/** What groups need of the rows that are grouped. */
export function groupedColumns({ groups, aggregates, condition }: GroupRows): NamedColumn[] {
  const named = [...groups, ...aggregates].flatMap(({ attribute }) => attribute ?? []);
  return [...named, ...attributesOf(condition)];
}

/** What a list needs of its rows. */
export function neededColumns({
  attributes,
  order,
  condition,
}: Pick<Plan, 'attributes' | 'order' | 'condition'>): NamedColumn[] {
  return [...attributes, ...order, ...attributesOf(condition)];
}

/** What is missing of the rows, of those that they lead to and of those that refer to them. */
function missingOf(
  { model, joins }: TableRows,
  named: readonly NamedColumn[],
  leaves: readonly (Comparison | Referred)[],
): Missing | undefined {
  const referred = referredIn(leaves);
  const links = [...joins, ...referred.flatMap((one) => [one, ...one.joins])];
  const policies = links.flatMap((link) =>
    attributesOf('policy' in link ? link.policy : link.condition),
  );
  const needed = [...named, ...policies];
  const own = needed.filter(({ join }) => join === undefined);
  const found = [missingColumns(model, own), ...links.map((link) => missingAlong(link, needed))];
  return found.find((missing) => missing !== undefined);
}

function referredIn(leaves: readonly (Comparison | Referred)[]): Referred[] {
  return leaves.flatMap((leaf) =>
    'attribute' in leaf ? [] : [leaf, ...referredIn(leavesOf(leaf.condition))],
  );
}

/** What is missing of a relation, and of the model that it leads to or from. */
function missingAlong(link: Join | Referred, needed: readonly NamedColumn[]): Missing | undefined {
  const { toOne, number, owner, target } = link;
  if (toOne.isMissing === true) {
    const reason = `the relation ${toOne.name} of ${owner.name} no longer leads to one record.`;
    return { columns: 'all', reason };
  }
  const named = needed.filter(({ join }) => join === number);
  const columns = toOne.columns.map((column) => ({ column }));
  const [ofOwner, ofTarget] = 'isThere' in link ? [named, []] : [[], named];
  return (
    missingColumns(owner, [...columns, ...ofOwner]) ??
    missingColumns(target, [...toOne.key, ...ofTarget])
  );
}

/** What is missing of a model, where some of its columns are needed of which one is not there. */
function missingColumns({ missing }: Model, needed: readonly NamedColumn[]): Missing | undefined {
  if (missing === undefined || missing.columns === 'all') return missing;
  const { columns } = missing;
  return needed.some(({ column }) => columns.has(column)) ? missing : undefined;
}

/** The same for a request for facets. */
export function missingOfFacets({ counted, facets }: FacetsPlan): Missing | undefined {
  const groups = [counted, ...facets.map(({ rows }) => rows)];
  return groups.map(missingOfGroups).find((missing) => missing !== undefined);
}

/** What a request for facets needs of its model. */
export function neededOfFacets({ counted, facets }: FacetsPlan): NamedColumn[] {
  return [counted, ...facets.map(({ rows }) => rows)].flatMap(groupedColumns);
}

/** The columns that a condition compares, and those that other rows refer to by it. */
export function attributesOf(condition: Condition | undefined): NamedColumn[] {
  return leavesOf(condition).flatMap((leaf) =>
    'attribute' in leaf ? [leaf.attribute] : keyOf(leaf),
  );
}

function keyOf({ toOne, from }: Referred): NamedColumn[] {
  return toOne.key.map(({ column }) => ({ column, ...(from !== undefined && { join: from }) }));
}
