import { SettingsError } from '@proj/engine/database';

/** Off, against listeners only, or with the server's name checked. */
const TLS_MODES = ['disabled', 'required', 'verify-identity'] as const;

export interface MysqlAddress {
  readonly host: string;
  readonly port: number;
  /** Path of a Unix socket; replaces host and port. */
  readonly socket: string | undefined;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls: (typeof TLS_MODES)[number];
}

const EXAMPLE = 'mysql://user:password@db.example.com:3306/shop';
const PARAMETERS = ['socket', 'ssl-mode'];

/** @throws {SettingsError} without the URL, which holds a password */
export function readMysqlUrl(text: string): MysqlAddress {
  if (!URL.canParse(text))
    throw new SettingsError(`database: the URL cannot be read. Expected one such as ${EXAMPLE}.`);
  const url = new URL(text);
  const database = decoded(url.pathname.slice(1), 'the name of the database');
  if (database === '' || database.includes('/')) {
    throw new SettingsError(`database: the URL has to name one database, as ${EXAMPLE} does.`);
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1',
    port: url.port === '' ? 3306 : Number(url.port),
    user: decoded(url.username, 'the user'),
    password: decoded(url.password, 'the password'),
    database,
    ...parametersOf(url.searchParams),
  };
}

function parametersOf(parameters: URLSearchParams): Pick<MysqlAddress, 'socket' | 'tls'> {
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    throw new SettingsError(
      `database: the URL has an unknown parameter "${unknown}". ` +
        `Known are ${PARAMETERS.join(' and ')}.`,
    );
  }
  const mode = parameters.get('ssl-mode') ?? 'disabled';
  const tls = TLS_MODES.find((one) => one === mode);
  if (tls === undefined)
    throw new SettingsError(`database: ssl-mode is one of ${TLS_MODES.join(', ')}.`);
  return { socket: parameters.get('socket') ?? undefined, tls };
}

function decoded(part: string, name: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new SettingsError(
      `database: ${name} in the URL is not percent-encoded as it should be: ` +
        '% itself is written %25.',
    );
  }
}
