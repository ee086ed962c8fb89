import type { FollowGap } from '@proj/engine/following';

import type { FeedFacts, RelationFacts, ServerFacts, TableFacts } from './requirements.ts';
import { TABLE_OBSTACLES } from './tables.ts';

interface ServerObstacle {
  readonly reason: string;
  readonly applies: (facts: FeedFacts) => boolean;
  readonly gap: (facts: FeedFacts) => FollowGap;
}

const AS_SUPERUSER = 'Run as a superuser, then restart the server:';

/** The first thing to fix comes first. */
const SERVER_OBSTACLES = [
  {
    reason: 'standby',
    applies: ({ server }) => server.isStandby,
    gap: () => ({
      problem: 'The server is a standby.',
      remedy: 'Changes are followed on the primary: let `database` name it.',
      statements: [],
    }),
  },
  {
    reason: 'wal_level',
    applies: ({ server }) => server.walLevel !== 'logical',
    gap: ({ server }) => ({
      problem: `wal_level is ${server.walLevel}, from which no changes can be read.`,
      remedy: AS_SUPERUSER,
      statements: ['alter system set wal_level = logical;'],
    }),
  },
  {
    reason: 'replication_right',
    applies: ({ role }) => !role.mayReplicate,
    gap: ({ role }) => ({
      problem: `The role ${role.name} lacks the attribute REPLICATION.`,
      remedy:
        'Make a role for the feed alone, as a superuser, give it a password, and set follow.url ' +
        'to a URL that has both:',
      statements: ['create role dynamic_query_feed login replication;'],
    }),
  },
  {
    reason: 'no_publication',
    applies: ({ publication }) => publication === null,
    gap: missingPublicationGap,
  },
  {
    reason: 'publication_root',
    applies: ({ publication }) => publication?.viaPartitionRoot === true,
    gap: ({ publicationName: name }) => ({
      problem: `The publication ${name} has publish_via_partition_root.`,
      remedy: 'Changes are followed by partition. Run as its owner:',
      statements: [`alter publication ${name} set (publish_via_partition_root = false);`],
    }),
  },
  {
    reason: 'publication_operations',
    applies: (facts) => missingOperations(facts).length > 0,
    gap: (facts) => ({
      problem:
        `The publication ${facts.publicationName} leaves out ` +
        `${missingOperations(facts).join(' and ')}.`,
      remedy: 'Run as its owner:',
      statements: [
        `alter publication ${facts.publicationName} ` +
          `set (publish = 'insert, update, delete, truncate');`,
      ],
    }),
  },
] as const satisfies readonly ServerObstacle[];

type FeedRefusal = (typeof SERVER_OBSTACLES)[number]['reason'];

export function refusalOf(facts: FeedFacts): FeedStoppedError | undefined {
  const refusal = SERVER_OBSTACLES.find(({ applies }) => applies(facts));
  return refusal && new FeedStoppedError(refusal.reason, refusal.gap(facts).problem);
}

/** Gaps of the server, role and publication; each of `feeds` processes takes a slot. */
export function serverGaps(facts: FeedFacts, feeds: number): FollowGap[] {
  const { replicationSlots, walSenders } = facts.server;
  return [
    ...SERVER_OBSTACLES.filter(({ applies }) => applies(facts)).map(({ gap }) => gap(facts)),
    ...exhaustionGap('max_replication_slots', replicationSlots, feeds),
    ...exhaustionGap('max_wal_senders', walSenders, feeds),
  ];
}

function exhaustionGap(
  setting: string,
  { used, max }: ServerFacts['walSenders'],
  feeds: number,
): FollowGap[] {
  if (used + feeds <= max) return [];
  const needed = feeds === 1 ? '' : `, where ${feeds} workers need one each`;
  return [
    {
      problem: `${setting} is ${max}, and ${used} are in use${needed}.`,
      remedy: AS_SUPERUSER,
      statements: [`alter system set ${setting} = ${used + feeds + 4};`],
    },
  ];
}

function missingOperations({ publication }: FeedFacts): readonly string[] {
  return publication?.missingOperations ?? [];
}

function missingPublicationGap({ publicationName, relations }: FeedFacts): FollowGap {
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

/** Beside those of a server: why it is not, or no longer, followed. */
export type FeedReason =
  | FeedRefusal
  | 'pooler'
  | 'unproven_server'
  | 'two_servers'
  | 'open_transactions'
  | 'connection'
  | 'publication_changed'
  | 'server_changed'
  | 'behind'
  | 'held_back';

export class FeedStoppedError extends Error {
  override readonly name = 'FeedStoppedError';
  readonly reason: FeedReason;

  constructor(reason: FeedReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Fewer rows are counted in milliseconds. */
export const MANY_ROWS = 100_000;

export type Obstacle = Omit<FollowGap, 'statements'>;

/** The first reason against publishing: it can't be followed, or would refuse UPDATE and DELETE. */
export function obstacleTo({ tables }: RelationFacts): Obstacle | undefined {
  return tables.map(obstacleOf).find((obstacle) => obstacle !== undefined);
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
