import { problemSchema } from '@proj/contract';
import { SettingsError } from '@proj/engine';

import { type Address, loadAddress } from '../settings/address.ts';
import type { SettingsInput } from '../settings/file/load.ts';
import { urlOf } from './listen.ts';

const TIMEOUT_MS = 5000;

/** Wildcard addresses, and the one to ask instead. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export interface HealthOptions {
  readonly live?: boolean;
  readonly config?: string;
  readonly host?: string;
  readonly port?: string;
}

/** @throws {SettingsError} when the server is not live or ready, with what it says */
export async function health(
  { live = false, ...flags }: HealthOptions,
  env: SettingsInput['env'],
): Promise<void> {
  const url = healthUrl(await loadAddress({ flags, env }), live ? '/livez' : '/readyz');
  const reply = await ask(url);
  const body: unknown = await reply.json().catch(() => undefined);
  if (!reply.ok) throw new SettingsError(`${url} answers ${reply.status}${reasonOf(body)}`);
  process.stdout.write(live ? 'live\n' : 'ready\n');
}

function healthUrl({ host, port }: Address, path: string): string {
  if (port === 0)
    throw new SettingsError(
      'port: 0 is no port that can be asked. Pass --port with the one that the server printed.',
    );
  return `${urlOf({ host: LOOPBACK[host] ?? host, port })}${path}`;
}

async function ask(url: string): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SettingsError(`${url} does not answer (${reason}).`, { cause: error });
  }
}

/** Another server at the address may say anything. */
function reasonOf(body: unknown): string {
  const { data: problem } = problemSchema.safeParse(body);
  return problem === undefined ? '.' : ` ${problem.code}: ${problem.detail}`;
}
