import type { FollowGap } from '../../follow-report.ts';
import type { FeedFacts, ServerFacts } from './facts.ts';

/**
 * What has to change about the server and the role.
 *
 * @param feeds how many processes follow the server, each on a slot of its own
 */
export function serverGaps({ server, role }: FeedFacts, feeds: number): FollowGap[] {
  return [
    ...standbyGap(server),
    ...walLevelGap(server),
    ...exhaustionGap('max_replication_slots', { ...server.replicationSlots, feeds }),
    ...exhaustionGap('max_wal_senders', { ...server.walSenders, feeds }),
    ...(role.mayReplicate ? [] : [roleGap(role.name)]),
  ];
}

function standbyGap({ isStandby }: ServerFacts): FollowGap[] {
  if (!isStandby) return [];
  return [
    {
      problem: 'The server is a standby.',
      remedy: 'Changes are followed on the primary: let `database` name it.',
      statements: [],
    },
  ];
}

function walLevelGap({ walLevel }: ServerFacts): FollowGap[] {
  if (walLevel === 'logical') return [];
  return [
    {
      problem: `wal_level is ${walLevel}, from which no changes can be read.`,
      remedy: 'Run as a superuser, then restart the server:',
      statements: ['alter system set wal_level = logical;'],
    },
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
      remedy: 'Run as a superuser, then restart the server:',
      statements: [`alter system set ${setting} = ${used + feeds + 4};`],
    },
  ];
}

function roleGap(role: string): FollowGap {
  return {
    problem: `The role ${role} lacks the attribute REPLICATION.`,
    remedy:
      'Make a role for the feed alone, as a superuser, give it a password, and set follow.url ' +
      'to a URL that has both:',
    statements: ['create role dynamic_query_feed login replication;'],
  };
}
