import type { Missing, Model } from '../catalogue/model.ts';
import {
  attributesOf,
  type Comparison,
  type Join,
  leavesOf,
  type NamedColumn,
  type Referring,
} from './condition.ts';
import type { GroupRows, TableRows } from './list-rows.ts';
import type { FacetsPlan } from './plan-facets.ts';
import type { Plan } from './plan.ts';

export function missingPart(plan: Plan): Missing | undefined {
  const { rows } = plan;
  if (rows.kind === 'groups') return missingOfGroups(rows);
  return missingOf(rows, neededColumns(plan), leavesOf(plan.condition));
}

function missingOfGroups(rows: GroupRows): Missing | undefined {
  return missingOf(rows.of, groupedColumns(rows), leavesOf(rows.condition));
}

export function groupedColumns({ groups, aggregates, condition }: GroupRows): NamedColumn[] {
  const named = [...groups, ...aggregates].flatMap(({ attribute }) => attribute ?? []);
  return [...named, ...attributesOf(condition)];
}

export function neededColumns({
  attributes,
  order,
  condition,
}: Pick<Plan, 'attributes' | 'order' | 'condition'>): NamedColumn[] {
  return [...attributes, ...order, ...attributesOf(condition)];
}

function missingOf(
  { model, joins, related }: TableRows,
  named: readonly NamedColumn[],
  leaves: readonly (Comparison | Referring)[],
): Missing | undefined {
  const values = named.flatMap(({ column, join }) =>
    join === undefined ? (related?.get(column) ?? []) : [],
  );
  const referring = referringIn([...leaves, ...values]);
  const links = [...joins, ...referring.flatMap((one) => [one, ...one.joins])];
  const policies = links.flatMap((link) =>
    attributesOf('policy' in link ? link.policy : link.condition),
  );
  const needed = [...named, ...policies, ...values.flatMap(({ attribute }) => attribute ?? [])];
  const own = needed.filter(({ join }) => join === undefined);
  const found = [missingColumns(model, own), ...links.map((link) => missingAlong(link, needed))];
  return found.find((missing) => missing !== undefined);
}

function referringIn(leaves: readonly (Comparison | Referring)[]): Referring[] {
  return leaves.flatMap((leaf) =>
    'values' in leaf ? [] : [leaf, ...referringIn(leavesOf(leaf.condition))],
  );
}

function missingAlong(link: Join | Referring, needed: readonly NamedColumn[]): Missing | undefined {
  const { toOne, number, owner, target } = link;
  if (toOne.isMissing === true) {
    const reason = `the relation ${toOne.name} of ${owner.name} no longer leads to one record.`;
    return { columns: 'all', reason };
  }
  const named = needed.filter(({ join }) => join === number);
  const columns = toOne.columns.map((column) => ({ column }));
  const [ofOwner, ofTarget] = 'path' in link ? [[], named] : [named, []];
  return (
    missingColumns(owner, [...columns, ...ofOwner]) ??
    missingColumns(target, [...toOne.key, ...ofTarget])
  );
}

function missingColumns({ missing }: Model, needed: readonly NamedColumn[]): Missing | undefined {
  if (missing === undefined || missing.columns === 'all') return missing;
  const { columns } = missing;
  return needed.some(({ column }) => columns.has(column)) ? missing : undefined;
}

export function missingOfFacets({ counted, facets }: FacetsPlan): Missing | undefined {
  const groups = [counted, ...facets.map(({ rows }) => rows)];
  return groups.map(missingOfGroups).find((missing) => missing !== undefined);
}

export function neededOfFacets({ counted, facets }: FacetsPlan): NamedColumn[] {
  return [counted, ...facets.map(({ rows }) => rows)].flatMap(groupedColumns);
}
