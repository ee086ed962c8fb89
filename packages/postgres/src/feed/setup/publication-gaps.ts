import type { FollowGap } from '@proj/engine/following';

import type { FeedFacts, PublicationFacts, TableFacts } from './facts.ts';
import { obstacleTo, publishedName, publishedNames } from './followable.ts';

export function publishedTableGaps(facts: FeedFacts): FollowGap[] {
  const { publication, publicationName: name } = facts;
  if (publication === null) return [];
  return [...identityGap(name, publication), ...narrowedTableGaps(name, facts)];
}

export function missingPublicationGap({ publicationName, relations }: FeedFacts): FollowGap {
  const problem = `There is no publication ${publicationName}.`;
  const followable = relations.filter((relation) => obstacleTo(relation) === undefined);
  const tables = followable.flatMap((relation) => relation.tables);
  if (tables.length === 0)
    return { problem, remedy: 'No model has tables that it could hold.', statements: [] };
  const names = new Set(followable.flatMap(publishedNames));
  return {
    problem,
    remedy: `Run as ${ownerOf(tables)}:`,
    statements: [
      `create publication ${publicationName} for table ${[...names].join(', ')} ` +
        `with (publish = 'insert, update, delete, truncate');`,
    ],
  };
}

/** Only a table's owner may publish it. */
export function ownerOf(tables: readonly TableFacts[]): string {
  const [owner, ...others] = new Set(tables.map((table) => table.owner));
  return owner !== undefined && others.length === 0
    ? `${owner}, the owner of the tables`
    : 'a superuser, as the tables have several owners';
}

/** Such a table refuses the application's UPDATE and DELETE, followed or not. */
function identityGap(name: string, { unidentified }: PublicationFacts): FollowGap[] {
  if (unidentified.length === 0) return [];
  const tables = unidentified.map((table) => table.name).join(', ');
  const problem =
    `Tables of the publication ${name} have no primary key or other replica identity, so that ` +
    `the application's UPDATE and DELETE on them are refused: ${tables}.`;
  if (unidentified.some(({ isNamed }) => !isNamed)) {
    const remedy = 'Give each a primary key, or make a publication that names its tables.';
    return [{ problem, remedy, statements: [] }];
  }
  const statements = [`alter publication ${name} drop table ${tables};`];
  return [{ problem, remedy: 'Take them out of it, as its owner:', statements }];
}

function narrowedTableGaps(name: string, { relations }: FeedFacts): FollowGap[] {
  const tables = new Map(
    relations.flatMap((relation) => relation.tables.map((table) => [table.name, table])),
  );
  return [...tables.values()].flatMap((table) => {
    const parts = [
      ...(table.hasRowFilter ? ['a row filter'] : []),
      ...(table.hasColumnList ? ['a column list'] : []),
    ];
    if (parts.length === 0) return [];
    return [
      {
        problem: `The publication ${name} has ${parts.join(' and ')} for ${table.name}.`,
        remedy: 'Publish the whole table, as the owner of both:',
        statements: [
          `alter publication ${name} drop table ${publishedName(table)};`,
          `alter publication ${name} add table ${publishedName(table)};`,
        ],
      },
    ];
  });
}
