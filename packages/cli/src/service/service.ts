import { readFile } from 'node:fs/promises';

import { createClient, type DynamicQueryClient } from '@proj/client';

import { UsageError } from '../failure.ts';
import type { Session, Terminal } from '../terminal/terminal.ts';

export interface AttemptLimits {
  /** For one attempt, in milliseconds. */
  readonly timeoutMs?: number;
  readonly retries?: number;
}

export interface Service {
  readonly url: string;
  readonly client: DynamicQueryClient;
}

/** @throws {UsageError} when the flags and the environment name no valid service */
export async function openService(
  flags: ConnectionFlags,
  { terminal, secrets }: Session,
  limits: AttemptLimits = {},
): Promise<Service> {
  const { url, token } = await readConnection(flags, terminal.env);
  secrets.add(token);
  try {
    const client = createClient({ baseUrl: url, token, ...limits });
    if (flags.atLeast !== undefined) client.include(flags.atLeast);
    return { url, client };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(inWordsOfFlags(error.message));
    throw error;
  }
}

function inWordsOfFlags(message: string): string {
  return message
    .replace(/^baseUrl/, 'DYNAMIC_QUERY_URL (or --url)')
    .replace(/^include/, '--at-least');
}

export interface Connection {
  readonly url: string;
  readonly token: string;
}

/** There is no flag for the token: others can read a command line. */
export interface ConnectionFlags {
  readonly url?: string;
  readonly tokenFile?: string;
  /** A position in the log of the database, which replies include, also from replicas. */
  readonly atLeast?: string;
}

/** @throws {UsageError} when neither flags nor environment have it; says where to put it */
export async function readConnection(
  { url, tokenFile }: ConnectionFlags,
  env: Terminal['env'],
): Promise<Connection> {
  const address = url ?? env['DYNAMIC_QUERY_URL'];
  if (!address) {
    throw new UsageError(
      'no service is named. Set DYNAMIC_QUERY_URL, or pass --url https://data.example.com',
    );
  }
  return { url: address, token: await readToken(tokenFile, env) };
}

async function readToken(file: string | undefined, env: Terminal['env']): Promise<string> {
  const text = file === undefined ? env['DYNAMIC_QUERY_TOKEN'] : await readTokenFile(file);
  const token = text?.trim();
  if (token) return checked(token, file ?? 'DYNAMIC_QUERY_TOKEN');
  const where = file === undefined ? 'DYNAMIC_QUERY_TOKEN is not set' : `${file} is empty`;
  throw new UsageError(
    `no access token: ${where}. Set DYNAMIC_QUERY_TOKEN, or put the token into a file for ` +
      '--token-file.',
  );
}

/** No message contains the token. */
function checked(token: string, place: string): string {
  if (/^bearer\s/i.test(token))
    throw new UsageError(`${place} begins with "Bearer". Put the token there without that word.`);
  if (/[^\u0021-\u007e]/.test(token))
    throw new UsageError(
      `${place} holds a blank, a line break or another character that no token has. Put the ` +
        'token there and nothing else.',
    );
  return token;
}

async function readTokenFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new UsageError(
      `--token-file: ${file} cannot be read. Name a file that holds the access token and ` +
        'nothing else.',
    );
  }
}
