import type { FollowGap, FollowReport } from '@proj/engine/following';

import {
  isPublished,
  MANY_ROWS,
  obstacleTo,
  ownerOf,
  publishedName,
  publishedNames,
  serverGaps,
} from './server-obstacles.ts';
import type { FeedFacts } from './requirements.ts';
import { SENDER_TIMEOUT_MS } from '../protocol/replication.ts';

/** What operators must do or know; `feeds` processes follow the server. */
export function reportOf(facts: FeedFacts, feeds: number): FollowReport {
  return {
    missing: serverGaps(facts, feeds),
    refused: [...identityGap(facts), ...narrowedTableGaps(facts)],
    unfollowed: [...obstructed(facts), ...unpublished(facts)],
    notes: notesOf(facts),
    isWorthwhile:
      !facts.server.isStandby &&
      facts.relations.some(({ estimatedRows }) => estimatedRows >= MANY_ROWS),
  };
}

function obstructed({ relations }: FeedFacts): FollowGap[] {
  const found = relations.flatMap((relation) => {
    const obstacle = obstacleTo(relation);
    return obstacle === undefined ? [] : [{ ...obstacle, name: relation.name }];
  });
  const groups = Map.groupBy(found, ({ problem }) => problem);
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ problem, remedy }) => ({
      problem: `${group.map(({ name }) => name).join(', ')}: ${problem}`,
      remedy,
      statements: [],
    })),
  );
}

function unpublished({ relations, publication, publicationName }: FeedFacts): FollowGap[] {
  if (publication === null) return [];
  const absent = relations.filter(
    (relation) => obstacleTo(relation) === undefined && !isPublished(relation),
  );
  if (absent.length === 0) return [];
  const names = [...new Set(absent.flatMap(publishedNames))].join(', ');
  const relationNames = absent.map(({ name }) => name).join(', ');
  return [
    {
      problem: `Not in the publication ${publicationName}: ${relationNames}.`,
      remedy: `Run as ${ownerOf(absent.flatMap(({ tables }) => tables))}:`,
      statements: [`alter publication ${publicationName} add table ${names};`],
    },
  ];
}

/** Such a table refuses the application's UPDATE and DELETE, followed or not. */
function identityGap({ publication, publicationName: name }: FeedFacts): FollowGap[] {
  const { unidentified = [] } = publication ?? {};
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

function narrowedTableGaps({ relations, publicationName: name }: FeedFacts): FollowGap[] {
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

function notesOf({ server, role, publication }: FeedFacts): string[] {
  return [
    ...(role.mayReplicate
      ? [
          `The role ${role.name} has REPLICATION: it can copy the whole cluster where a line of ` +
            'pg_hba.conf for the database name `replication` lets it in.',
        ]
      : []),
    `max_slot_wal_keep_size is ${server.maxSlotWalKeepSize}: the most WAL that the server keeps ` +
      'for a replication slot whose reader has stopped (-1: no limit). The service drops its ' +
      'slot when it falls behind; the setting applies to the slots of standbys too.',
    `wal_sender_timeout is ${server.walSenderTimeout}: after so long the server ends what a ` +
      'reader that has stopped holds, and finishes its checkpoints (0: never). The service asks ' +
      `for ${SENDER_TIMEOUT_MS} ms for its own connection.`,
    ...(publication?.isOpen
      ? [
          'The publication holds tables that it does not name. One that is created without a ' +
            "primary key refuses the application's UPDATE and DELETE.",
        ]
      : []),
  ];
}
