import { type Ask, HttpProblem, type QueryFacts, type Station } from '@proj/fastify/host';

import type { AuditEntry, AuditLog } from '../../audit/audit-log.ts';
import type { Observer } from './observers.ts';

const NOTHING: QueryFacts = {
  model: null,
  models: [],
  attributes: [],
  page: null,
  size: null,
  rows: 0,
};

/** Refused because no audit line could be written. */
const UNRECORDED = new WeakSet<Ask>();

/** Leaves one line for each query: who, what, how much, how long, and how it ended. */
export function auditQueries(log: AuditLog): Observer {
  return (ask, { reads }) => {
    if (reads !== true) return;
    ask.onEnd(() => {
      if (!UNRECORDED.has(ask)) log.write(entryOf(ask));
    });
  };
}

/** For valid tokens only; not audited, because they would displace waiting lines. */
export function refuseUnrecorded(log: AuditLog): Station {
  return {
    admit: (ask, { reads }) => {
      if (reads !== true || log.failure === undefined) return undefined;
      UNRECORDED.add(ask);
      throw new HttpProblem(
        'overloaded',
        'Queries are not answered while they cannot be recorded.',
        { cause: log.failure },
      );
    },
  };
}

function entryOf(ask: Ask): Omit<AuditEntry, 'time'> {
  const { id, principal, read, problem, cutBy, isSent } = ask;
  return {
    request_id: id,
    token: principal?.name ?? null,
    role: principal?.role ?? null,
    ...(principal?.session && { session: principal.session }),
    // In this order, whoever wrote it.
    ...NOTHING,
    ...read,
    ms: Math.round(ask.elapsedMs * 1000) / 1000,
    outcome: isSent
      ? (problem ?? (ask.status === 304 ? 'not_modified' : 'ok'))
      : (cutBy ?? 'cancelled'),
  };
}
