import type { FollowGap } from '@proj/engine/following';

import { obstacleTo, ownerOf, publishedNames } from './followable.ts';
import type { FeedFacts } from './requirements.ts';

interface ServerObstacle {
  readonly reason: string;
  readonly applies: (facts: FeedFacts) => boolean;
  readonly text: string;
  readonly gap: (facts: FeedFacts) => FollowGap;
}

const AS_SUPERUSER = 'Run as a superuser, then restart the server:';

/** The first thing to fix comes first. */
const SERVER_OBSTACLES = [
  {
    reason: 'standby',
    applies: ({ server }) => server.isStandby,
    text: 'the server is a standby; follow.url has to name the primary',
    gap: () => ({
      problem: 'The server is a standby.',
      remedy: 'Changes are followed on the primary: let `database` name it.',
      statements: [],
    }),
  },
  {
    reason: 'wal_level',
    applies: ({ server }) => server.walLevel !== 'logical',
    text: 'wal_level is not logical',
    gap: ({ server }) => ({
      problem: `wal_level is ${server.walLevel}, from which no changes can be read.`,
      remedy: AS_SUPERUSER,
      statements: ['alter system set wal_level = logical;'],
    }),
  },
  {
    reason: 'replication_right',
    applies: ({ role }) => !role.mayReplicate,
    text: 'the role lacks REPLICATION',
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
    text: 'there is no such publication',
    gap: missingPublicationGap,
  },
  {
    reason: 'publication_root',
    applies: ({ publication }) => publication?.viaPartitionRoot === true,
    text: 'the publication has publish_via_partition_root',
    gap: ({ publicationName: name }) => ({
      problem: `The publication ${name} has publish_via_partition_root.`,
      remedy: 'Changes are followed by partition. Run as its owner:',
      statements: [`alter publication ${name} set (publish_via_partition_root = false);`],
    }),
  },
  {
    reason: 'publication_operations',
    applies: (facts) => missingOperations(facts).length > 0,
    text: 'the publication leaves out insert, update, delete or truncate',
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

export type FeedRefusal = (typeof SERVER_OBSTACLES)[number]['reason'];

export function refusalOf(
  facts: FeedFacts,
): { readonly reason: FeedRefusal; readonly text: string } | undefined {
  return SERVER_OBSTACLES.find(({ applies }) => applies(facts));
}

/** Gaps of the server, role and publication; each of `feeds` processes takes a slot. */
export function serverGaps(facts: FeedFacts, feeds: number): FollowGap[] {
  const { replicationSlots, walSenders } = facts.server;
  return [
    ...SERVER_OBSTACLES.filter(({ applies }) => applies(facts)).map(({ gap }) => gap(facts)),
    ...exhaustionGap('max_replication_slots', { ...replicationSlots, feeds }),
    ...exhaustionGap('max_wal_senders', { ...walSenders, feeds }),
  ];
}

/** A feed takes one of each. */
function exhaustionGap(
  setting: string,
  { used, max, feeds }: { readonly used: number; readonly max: number; readonly feeds: number },
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
