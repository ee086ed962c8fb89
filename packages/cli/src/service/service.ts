import { createClient, type DynamicQueryClient } from '@proj/client';

import { type ConnectionFlags, readConnection } from './connection.ts';
import { UsageError } from '../failure.ts';
import type { Session } from './session.ts';

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
