import { expectedReply, type Reply, type Request } from './requests.ts';
import type { Shown } from './states.ts';
import { visibleRows, type World } from './world.ts';

/**
 * What a reply shows: one state that it may show; rows of one such state under the rules of another
 * one, as rules of the catalogue take effect in snapshots that are older than they; an older state;
 * or no state that ever was.
 */
export type Verdict = 'true' | 'later rules' | 'stale' | 'mixed';

/** The reply to a request that the database refuses. */
export const REFUSED: Reply = 'refused';

/** Says what a reply shows. */
export function judge(reply: Reply, request: Request, { worlds, earlier }: Shown): Verdict {
  const shows = (world: World): boolean => expected(world, request) === reply;
  if (worlds.some(shows)) return 'true';
  const pairs = worlds.flatMap((world) => {
    return worlds.map(({ rules }) => ({ ...world, rules }));
  });
  if (pairs.some(shows)) return 'later rules';
  return earlier.some(shows) ? 'stale' : 'mixed';
}

/** Whether a request may fail while rules change, or is refused by one of the states. */
export function mayFail(request: Request, { worlds }: Shown): boolean {
  const hasChanged = worlds.some(({ rules }) => rules !== worlds[0]?.rules);
  return hasChanged || worlds.some((world) => expected(world, request) === REFUSED);
}

function expected(world: World, request: Request): Reply {
  const rows = visibleRows(world, request.model, request.tenant);
  return rows === undefined ? REFUSED : expectedReply(rows, request);
}
