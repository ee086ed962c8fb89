import { hash } from 'node:crypto';

import { type DatabaseSession, sessionShape } from '../catalogue/database-session.ts';
import type { KeptFor } from '../cache-store.ts';
import { firstCaller } from '../sources/callers.ts';
import type { ReadCall } from '../sources/source.ts';
import type { SessionUse } from './cache-stats.ts';

/** For whom is kept what callers of a session are shown; undefined for what all may be. */
export function keptFor(session: DatabaseSession | undefined): KeptFor | undefined {
  if (session === undefined) return undefined;
  const values = hash('sha256', JSON.stringify(sessionShape(session)), 'base64url');
  return { role: session.role, values };
}

/**
 * Who asks for what is kept for a session; undefined where it is kept for all.
 *
 * @param foundFor whose request has brought what is kept
 */
export function useOf(
  session: DatabaseSession | undefined,
  foundFor: string | undefined,
  call: Pick<ReadCall, 'callers'>,
): SessionUse | undefined {
  return session && { role: session.role, isOwn: foundFor === firstCaller(call) };
}
