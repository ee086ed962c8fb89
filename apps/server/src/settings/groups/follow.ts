import type { FollowSettings } from '@proj/engine';
import * as z from 'zod';

const followedServer = z.strictObject({
  url: z
    .string()
    .regex(/^postgres(ql)?:\/\//i, 'expected a URL such as postgres://user:password@host:5432/shop')
    .optional()
    .describe(
      'URL of the PostgreSQL server itself, past any pooler, with a role that has ' +
        '`REPLICATION`; `database` by default. It switches `follow` on.',
    ),
  publication: z
    .string()
    .min(1)
    .max(63)
    .optional()
    .describe('The publication whose tables are followed; `dynamic_query` by default.'),
  snapshot_seconds: z
    .int()
    .min(0)
    .max(3600)
    .optional()
    .describe(
      'For how many seconds a snapshot of the database may be held open, by which filtered lists ' +
        'and other orders are followed: `vacuum` leaves alone meanwhile what it sees. 30 by ' +
        'default; 0 for none, so that only whole tables are followed.',
    ),
});

export const followSettings = z.union(
  [z.boolean(), followedServer],
  'expected `true`, `false`, or a mapping with `url`, `publication` and `snapshot_seconds`',
);

export function followOf(
  settings: z.output<typeof followSettings> | undefined,
): FollowSettings | undefined {
  if (settings === undefined || typeof settings === 'boolean') return settings || undefined;
  const { snapshot_seconds: snapshotSeconds, ...server } = settings;
  return { ...server, ...(snapshotSeconds !== undefined && { snapshotSeconds }) };
}
