import { askOf, HttpProblem, onReplyEnd, type QueryFacts } from '@proj/fastify/host';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import type { AuditEntry, AuditLog } from '../../audit/audit-log.ts';
import type { Settings } from '../../settings/schema.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    audit?: true;
  }
  interface FastifyRequest {
    /** Refused because no audit line could be written. */
    unrecorded: boolean;
  }
}

const NOTHING: QueryFacts = {
  model: null,
  models: [],
  attributes: [],
  page: null,
  size: null,
  rows: 0,
};

interface AuditOptions {
  readonly log: AuditLog | undefined;
  /** For queries while no line can be written. Default: answer them. */
  readonly onFailure: Settings['audit_failure'] | undefined;
}

/** Leaves one line for each query: who, what, how much, how long, and how it ended. */
export const auditPlugin = fp<AuditOptions>(
  (app, { log, onFailure }, done) => {
    app.decorateRequest('unrecorded', false);
    if (log !== undefined) {
      app.addHook('onRequest', (request, reply, next) => {
        if (request.routeOptions.config.audit === true)
          onReplyEnd(reply.raw, () => record(log, request, reply));
        next();
      });
      if (onFailure === 'refuse')
        app.addHook('preParsing', async (request) => refuseUnrecorded(log, request));
      app.addHook('onClose', () => log.close());
    }
    done();
  },
  { name: 'audit' },
);

/** After access, for valid tokens only; not audited, because they would displace waiting lines. */
function refuseUnrecorded(log: AuditLog, request: FastifyRequest): void {
  if (request.routeOptions.config.audit !== true || log.failure === undefined) return;
  request.unrecorded = true;
  throw new HttpProblem('overloaded', 'Queries are not answered while they cannot be recorded.', {
    cause: log.failure,
  });
}

function record(log: AuditLog, request: FastifyRequest, reply: FastifyReply): void {
  if (!request.unrecorded) log.write(entryOf(request, reply));
}

function entryOf(request: FastifyRequest, reply: FastifyReply): Omit<AuditEntry, 'time'> {
  const { principal, read, problem, cutBy } = askOf(request, reply);
  return {
    request_id: request.id,
    token: principal?.name ?? null,
    role: principal?.role ?? null,
    ...(principal?.session && { session: principal.session }),
    ...(read ?? NOTHING),
    ms: Math.round(reply.elapsedTime * 1000) / 1000,
    outcome: reply.raw.writableFinished ? (problem ?? success(reply)) : (cutBy ?? 'cancelled'),
  };
}

function success({ statusCode }: FastifyReply): string {
  return statusCode === 304 ? 'not_modified' : 'ok';
}
