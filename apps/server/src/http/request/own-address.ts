import { HttpProblem } from '@proj/fastify/host';
import type { FastifyRequest } from 'fastify';

/** By which names callers and their pages may reach `/mcp`. */
export interface AddressRules {
  /** Where callers reach the service; loopback addresses alone where undefined. */
  readonly publicUrl: string | undefined;
  /** Origins whose pages may call the service. */
  readonly corsOrigins: readonly string[];
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The URL by which a request reached the service, without a slash at the end; undefined where it is
 * none of the service's own. A name that an attacker lets point to this machine is none.
 */
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

/** A login, a path or a space that a URL would take beside the host makes it no host. */
function urlOfHost(host: string, protocol = 'http:'): URL | null {
  return /[@/\\?#\s]/.test(host) ? null : URL.parse(`${protocol}//${host}`);
}

/**
 * Refuses a request that names another host, or that a page of another origin has sent.
 *
 * @throws {HttpProblem} `origin_refused`
 */
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
