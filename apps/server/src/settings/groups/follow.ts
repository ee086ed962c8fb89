import type { FollowSettings } from '@proj/engine';
import * as z from 'zod';

const followedServer = z.strictObject({
  url: z
    .string()
    .regex(/^postgres(ql)?:\/\//i, 'expected a URL such as postgres://user:password@host:5432/shop')
    .optional(),
  publication: z.string().min(1).max(63).optional(),
  snapshot_seconds: z.int().min(0).max(3600).optional(),
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
