import { SettingsError } from '@proj/engine/database';
import type { ClientConfig } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';

/** The driver reads these as `verify-full` by default. `no-verify` is its own word. */
const LIBPQ_MODES = new Set(['prefer', 'require', 'verify-ca']);

/** For a server that lacks the TLS which was merely preferred; otherwise undefined. */
export function withoutTls(
  client: ClientConfig,
  { prefersTls }: Pick<Address, 'prefersTls'>,
  error: unknown,
): ClientConfig | undefined {
  const { message } = Object(error) as Partial<Error>;
  const isRefused = message === 'The server does not support SSL connections';
  return prefersTls && isRefused && client.ssl !== false ? { ...client, ssl: false } : undefined;
}

/** libpq's `target_session_attrs`, in part; the driver knows none. */
const SERVER_KINDS = new Map([
  ['any', false],
  ['primary', true],
  ['read-write', true],
]);

export interface Address {
  readonly client: ClientConfig;
  readonly prefersTls: boolean;
  readonly needsPrimary: boolean;
}

/**
 * `sslmode` and, in part, `target_session_attrs` are libpq's:
 * https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION
 * @throws {SettingsError} without the URL, which may hold a password
 */
export function readPostgresUrl(url: string, setting = 'database'): Address {
  if (!URL.canParse(url))
    throw new SettingsError(
      `${setting}: expected a URL such as postgres://user:password@host:5432/shop.`,
    );
  const { pathname, searchParams: parameters } = new URL(url);
  const mode = parameters.get('sslmode') ?? '';
  const useLibpqCompat = LIBPQ_MODES.has(mode) && !parameters.has('uselibpqcompat');
  if (useLibpqCompat && mode === 'verify-ca' && !parameters.has('sslrootcert')) {
    throw new SettingsError(
      `${setting}: sslmode=verify-ca needs the authority: ` +
        'add sslrootcert=/path/to/ca.pem, or take verify-full.',
    );
  }
  const kind = parameters.get('target_session_attrs') ?? 'any';
  const needsPrimary = SERVER_KINDS.get(kind);
  if (needsPrimary === undefined) {
    const kinds = [...SERVER_KINDS.keys()].join(', ');
    throw new SettingsError(`${setting}: target_session_attrs is none of ${kinds}.`);
  }
  try {
    const client = toClientConfig(parse(url, { useLibpqCompat }));
    // Signs such as `%2F` stay encoded in the driver's.
    if (pathname.length > 1) client.database = decodeURIComponent(pathname.slice(1));
    return {
      client: { application_name: 'dynamic-query', ...client },
      prefersTls: mode === 'prefer',
      needsPrimary,
    };
  } catch (error) {
    const { code = 'it cannot be read', path } = Object(error) as NodeJS.ErrnoException;
    throw new SettingsError(
      `${setting}: the URL is no good: ${[path, code].filter(Boolean).join(': ')}.`,
    );
  }
}
