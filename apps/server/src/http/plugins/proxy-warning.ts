import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Callers who send the headers themselves cannot fill the log. */
const MAX_WARNINGS = 10;

/** Warns once of each forwarding address missing in `trust_proxy`: all its callers count as one. */
export function warnOfProxies(app: FastifyInstance): void {
  const warned = new Set<string>();
  app.addHook('onRequest', (request, _reply, next) => {
    if (isPassedOnUntrusted(request) && warned.size < MAX_WARNINGS) {
      const { remoteAddress = 'unknown' } = request.socket;
      if (!warned.has(remoteAddress))
        app.log.warn({ address: remoteAddress }, remedy(remoteAddress));
      warned.add(remoteAddress);
    }
    next();
  });
}

/** Fastify lists further addresses only if it trusts the sender of `X-Forwarded-For`. */
function isPassedOnUntrusted({ headers, ips = [] }: FastifyRequest): boolean {
  return (
    (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) && ips.length < 2
  );
}

function remedy(address: string): string {
  return (
    `requests come through a proxy at ${address} that trust_proxy does not name, ` +
    'so that all its callers count as one address; ' +
    `if it is yours, set trust_proxy: [${address}] and let it send X-Forwarded-For`
  );
}
