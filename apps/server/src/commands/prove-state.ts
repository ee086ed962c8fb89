import { SettingsError } from '@proj/engine';

import { proofLines, VERDICTS, verdictOf } from '../checks/prove-state/proof-lines.ts';
import { proveState } from '../checks/prove-state/prove-state.ts';
import { UnprovedError } from '../checks/unproved-error.ts';
import type { LoadedSettings } from '../settings/file/load.ts';

/** What `check --prove-state` is asked for. */
export interface ProveOptions {
  /** Whether it is asked for. */
  readonly proveState?: boolean;
  readonly table: string;
  readonly seconds: number;
  readonly commits: number;
  readonly writeAs?: string;
}

/**
 * `dynamic-query check --prove-state`: prints what reads of the service show of a table that is
 * written meanwhile, on the operator's own database.
 *
 * @throws {SettingsError} when a reply was wrong
 * @throws {UnprovedError} when the replies prove nothing
 */
export async function proveStateOf(
  { settings }: LoadedSettings,
  { table, seconds, commits, writeAs }: ProveOptions,
): Promise<void> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, abort);
  try {
    const proof = await proveState(settings, {
      table,
      seconds,
      commitsPerSecond: commits,
      ...(writeAs !== undefined && { writeAs }),
      signal: stop.signal,
    });
    for (const line of proofLines(proof, { table, seconds })) process.stdout.write(`${line}\n`);
    const verdict = verdictOf(proof);
    if (verdict === 'wrong') throw new SettingsError(VERDICTS.wrong);
    if (verdict === 'unproved') throw new UnprovedError(VERDICTS.unproved);
    process.stdout.write(`${VERDICTS.proved}\n`);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, abort);
  }
}
