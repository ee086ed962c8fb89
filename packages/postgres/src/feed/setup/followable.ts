import type { FollowGap } from '@proj/engine/following';

import type { RelationFacts, TableFacts } from './requirements.ts';
import { TABLE_OBSTACLES } from './tables.ts';

/** Fewer rows are counted in milliseconds. */
export const MANY_ROWS = 100_000;

export type Obstacle = Omit<FollowGap, 'statements'>;

/** The first reason against publishing: it can't be followed, or would refuse UPDATE and DELETE. */
export function obstacleTo({ tables }: RelationFacts): Obstacle | undefined {
  for (const table of tables) {
    const obstacle = obstacleOf(table);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

export function isPublished({ tables }: RelationFacts): boolean {
  return tables.every(({ kind, isPublished: published }) => kind === 'partitioned' || published);
}

/**
 * How a publication names a relation without obstacle. A partitioned table with a primary key is
 * named itself: new partitions have the key too. Otherwise each table is named, so that tables
 * attached later are not published by accident.
 */
export function publishedNames({ name, tables }: RelationFacts): string[] {
  const root = tables.find((table) => table.name === name);
  if (root?.kind === 'partitioned' && root.identity === 'key') return [root.name];
  return tables.filter(({ kind }) => kind === 'table').map(publishedName);
}

/** Without `only`, inheriting tables would be published too. */
export function publishedName({ name, kind, hasChildren }: TableFacts): string {
  return kind === 'table' && hasChildren ? `only ${name}` : name;
}

function obstacleOf(table: TableFacts): Obstacle | undefined {
  if (table.obstacle !== null)
    return { problem: TABLE_OBSTACLES[table.obstacle].text(table.name), remedy: '' };
  return table.kind === 'table' && table.identity === null ? missingIdentity(table) : undefined;
}

function missingIdentity({ name, candidate }: TableFacts): Obstacle {
  const identity = candidate === null ? 'full' : `using index ${candidate}`;
  const price = candidate === null ? ', which writes the whole old row to the log each time' : '';
  return {
    problem:
      `${name} has no primary key or other replica identity: once it is published, ` +
      `the application's UPDATE and DELETE on it are refused.`,
    remedy:
      `Give it a primary key, or \`alter table ${name} replica identity ${identity};\`${price}. ` +
      'Either locks the table for a moment.',
  };
}

/** Only a table's owner may publish it. */
export function ownerOf(tables: readonly TableFacts[]): string {
  const [owner, ...others] = new Set(tables.map((table) => table.owner));
  return owner !== undefined && others.length === 0
    ? `${owner}, the owner of the tables`
    : 'a superuser, as the tables have several owners';
}
