import { hash } from 'node:crypto';

import { SettingsError } from '@proj/engine/database';

type Rows = readonly (readonly unknown[])[];

type Run = (sql: string) => Promise<Rows>;

const OBSERVED = `select connection_id(), @@session.time_zone, @@session.sql_mode,
  @@session.max_sort_length, @@session.autocommit`;

const ROUNDS = 4;

/** @throws {SettingsError} when a proxy loses settings, or splits transactions between servers */
export async function proveSession(run: Run): Promise<void> {
  const alone = await observe(run);
  await run('start transaction');
  const together = await observe(run);
  await run('commit');
  const settings = new Set([...alone, ...together].map(([, ...set]) => set.join(' ')));
  if (settings.size > 1 || !alone.every(([, zone]) => zone === '+00:00'))
    throw new SettingsError(`${PROXY}: what a session is set to does not last. ${REMEDY}`);
  const sessions = new Set(together.map(([session]) => String(session)));
  if (sessions.size > 1)
    throw new SettingsError(
      `${PROXY}: statements of one transaction are answered by several servers, which show ` +
        `different states. ${REMEDY}`,
    );
}

async function observe(run: Run): Promise<Rows> {
  const rows: (readonly unknown[])[] = [];
  for (let round = 0; round < ROUNDS; round++) rows.push(...(await run(OBSERVED)));
  return rows;
}

const PROXY = 'database: a proxy is before the servers that divides sessions between them';

const REMEDY = 'Name a server, or a port of the proxy that keeps each session on one server.';

interface Reached {
  readonly threadId: string;
  readonly greetedAs: number;
  readonly answer: readonly (readonly unknown[])[];
}

/** Whether no proxy stands in between: the session that answers took the connection. */
export function isDirect({ threadId, greetedAs }: Omit<Reached, 'answer'>): boolean {
  return BigInt.asUintN(32, BigInt(threadId)) === BigInt(greetedAs);
}

/** Undefined behind a proxy that speaks the protocol itself, and may divide sessions. */
export function instanceOf(reached: Reached): string | undefined {
  const [[variables, start] = []] = reached.answer;
  const isWhole = typeof variables === 'string' && Number.isInteger(Number(start ?? NaN));
  if (!isWhole || !isDirect(reached)) return undefined;
  return hash('sha256', `${variables} ${Number(start)}`, 'base64url').slice(0, 22);
}
