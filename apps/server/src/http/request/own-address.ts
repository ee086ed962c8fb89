import { HttpProblem } from '@proj/fastify/host';
import type { FastifyRequest } from 'fastify';

export interface AddressRules {
  /** Undefined: loopback addresses only. */
  readonly publicUrl: string | undefined;
  readonly corsOrigins: readonly string[];
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Undefined unless the URL is our own: an attacker can point any name to this machine. */
export function ownAddress(
  { host }: Pick<FastifyRequest, 'host'>,
  { publicUrl }: Pick<AddressRules, 'publicUrl'>,
): string | undefined {
  const known = publicUrl === undefined ? null : URL.parse(publicUrl);
  if (known !== null && known.host === urlOfHost(host, known.protocol)?.host)
    return known.href.replace(/\/$/, '');
  const named = urlOfHost(host);
  return named !== null && LOOPBACK.test(named.hostname) ? named.origin : undefined;
}

/** A URL may have a login, path or space beside the host; a host may not. */
function urlOfHost(host: string, protocol = 'http:'): URL | null {
  return /[@/\\?#\s]/.test(host) ? null : URL.parse(`${protocol}//${host}`);
}

/** @throws {HttpProblem} `origin_refused` for other hosts, and pages of other origins */
export function checkAddress(request: FastifyRequest, rules: AddressRules): void {
  if (ownAddress(request, rules) === undefined)
    throw new HttpProblem(
      'origin_refused',
      'The Host is neither a loopback address nor that of the setting public_url.',
    );
  const { origin } = request.headers;
  if (origin === undefined || rules.corsOrigins.includes(origin)) return;
  if (URL.parse(origin)?.host !== urlOfHost(request.host)?.host)
    throw new HttpProblem(
      'origin_refused',
      'The Origin is neither that of the service nor one of the setting cors_origins.',
    );
}
