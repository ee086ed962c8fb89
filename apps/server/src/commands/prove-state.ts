import { SettingsError } from '@proj/engine';
import { proofLines, proveState, VERDICTS, verdictOf } from '@proj/prove-state';

import { UnprovedError } from '../checks/unproved-error.ts';
import { databasesIn, type DatabaseSettings } from '../settings/databases.ts';
import { engineSettings } from '../settings/engine-settings.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import type { Settings } from '../settings/schema.ts';

export interface ProveOptions {
  readonly proveState?: boolean;
  /** With several databases prefixed by the name of one, as in `shop.scratch`. */
  readonly table: string;
  readonly seconds: number;
  readonly commits: number;
  readonly writeAs?: string;
}

/**
 * Prints what the service reads of a table that is written meanwhile, on the operator's database.
 *
 * @throws {SettingsError} when a reply was wrong
 * @throws {UnprovedError} when the replies prove nothing
 */
export async function proveStateOf(
  loaded: LoadedSettings,
  { table, seconds, commits, writeAs }: ProveOptions,
): Promise<void> {
  const { settings, name } = databaseOf(table, loaded.settings);
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, abort);
  try {
    const proof = await proveState(engineSettings(settings), {
      table: name,
      seconds,
      commitsPerSecond: commits,
      ...(writeAs !== undefined && { writeAs }),
      signal: stop.signal,
    });
    for (const line of proofLines(proof, { table })) process.stdout.write(`${line}\n`);
    const verdict = verdictOf(proof);
    if (verdict === 'wrong') throw new SettingsError(VERDICTS.wrong);
    if (verdict === 'unproved') throw new UnprovedError(VERDICTS.unproved);
    process.stdout.write(`${VERDICTS.proved}\n`);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, abort);
  }
}

interface TablePlace {
  readonly settings: DatabaseSettings;
  readonly name: string;
}

/** @throws {SettingsError} when the table names none of several databases */
function databaseOf(table: string, settings: Settings): TablePlace {
  const [first, ...others] = databasesIn(settings);
  if (first?.name === undefined && first !== undefined)
    return { settings: first.settings, name: table };
  const [database, name = ''] = table.split('.');
  const found = [first, ...others].find((one) => one?.name === database);
  if (found === undefined || name === '')
    throw new SettingsError(
      '--table: there are several databases. Name one before the table, as in ' +
        `${first?.name}.scratch.`,
    );
  return { settings: { ...found.settings, prefix: undefined }, name };
}
