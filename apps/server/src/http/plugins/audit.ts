import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import type { AuditEntry, AuditLog } from '../../audit/audit-log.ts';

/** What a query read, for its audit line. */
export type QueryFacts = Pick<AuditEntry, 'model' | 'attributes' | 'page' | 'size' | 'rows'>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether each request of the route leaves an audit line. */
    audit?: true;
  }
  interface FastifyRequest {
    /** What was read; null as long as nothing was. */
    queried: QueryFacts | null;
    /** The code of the problem that the request met. */
    problemCode: string | null;
  }
}

const NOTHING: QueryFacts = { model: null, attributes: [], page: null, size: null, rows: 0 };

interface AuditOptions {
  /** Where the lines go; nowhere where undefined. */
  readonly log: AuditLog | undefined;
}

/** Leaves one line for each query: who, what, how much, how long, and how it ended. */
export const auditPlugin = fp<AuditOptions>(
  (app, { log }, done) => {
    app.decorateRequest('queried', null);
    app.decorateRequest('problemCode', null);
    if (log !== undefined) {
      app.addHook('onRequest', (request, reply, next) => {
        if (request.routeOptions.config.audit === true) reply.raw.once('close', () => log.write(entryOf(request, reply)));
        next();
      });
      app.addHook('onClose', () => log.close());
    }
    done();
  },
  { name: 'audit' },
);

function entryOf(request: FastifyRequest, reply: FastifyReply): Omit<AuditEntry, 'time'> {
  const { id, principal, queried, problemCode } = request;
  return {
    request_id: id,
    token: principal?.name ?? null,
    role: principal?.role ?? null,
    ...(queried ?? NOTHING),
    ms: Math.round(reply.elapsedTime * 1000) / 1000,
    outcome: reply.raw.writableFinished ? (problemCode ?? 'ok') : 'cancelled',
  };
}
