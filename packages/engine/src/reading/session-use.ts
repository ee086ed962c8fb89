import { hash } from 'node:crypto';

import { type DatabaseSession, sessionShape } from '../catalogue/database-session.ts';
import type { KeptFor } from '../cache-store.ts';
import { firstCaller } from '../sources/read-call.ts';
import type { ReadCall } from '../sources/source.ts';
import type { SessionUse } from './cache-stats.ts';

/** Undefined for what all callers may be shown. */
export function keptFor(session: DatabaseSession | undefined): KeptFor | undefined {
  if (session === undefined) return undefined;
  const values = hash('sha256', JSON.stringify(sessionShape(session)), 'base64url');
  return { role: session.role, values };
}

/** @param foundFor whose request brought what is kept */
export function useOf(
  session: DatabaseSession | undefined,
  foundFor: string | undefined,
  call: Pick<ReadCall, 'callers'>,
): SessionUse | undefined {
  return session && { role: session.role, isOwn: foundFor === firstCaller(call) };
}
