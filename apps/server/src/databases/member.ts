import { type Engine, RefusedConnectionError } from '@proj/engine';
import type { Logger } from 'pino';

import { isAway } from '../database-wait.ts';
import { logOf } from '../log/database-log.ts';
import { databaseKind } from '../settings/database-kinds.ts';
import type { LoadedDatabase } from '../settings/databases.ts';
import type { Spread } from '../settings/engine-settings.ts';
import { type CheckedEngine, openDatabase } from './open-database.ts';
import { spreadOf } from './spread.ts';
import { WaitingDatabase } from './waiting-database.ts';

export interface Member {
  readonly loaded: LoadedDatabase;
  readonly engine: Engine;
  readonly waiting: WaitingDatabase | undefined;
  readonly warnings: readonly string[];
}

/** Empty for the only database. */
export function nameOf({ loaded: { name = '' } }: Pick<Member, 'loaded'>): string {
  return name;
}

export interface MemberParts {
  readonly spread: Spread;
  readonly log: Logger;
  /** @throws {SettingsError} when a late database does not fit the others */
  readonly demandFit: (loaded: LoadedDatabase, engine: Engine) => void;
  readonly onOpen: (loaded: LoadedDatabase, engine: Engine) => void;
}

/** Whether a member may have a model of this name that is not known yet. */
export function mayHave({ waiting, loaded }: Member, model: string): boolean {
  return waiting?.hasAnswered === false && loaded.mayOwn(model);
}

/**
 * Opens a database; if it is away, {@link WaitingDatabase.begin} starts waiting for it.
 *
 * @throws {SettingsError} when the settings are refused
 * @throws {QueryFailedError} when the database does not answer and is not waited for
 */
export async function openMember(loaded: LoadedDatabase, parts: MemberParts): Promise<Member> {
  const spread = spreadOf(loaded.name, parts.spread);
  const open = (): Promise<CheckedEngine> => openDatabase(loaded, spread);
  try {
    const { engine, warnings } = await open();
    return { loaded, engine, warnings, waiting: undefined };
  } catch (error) {
    if (!mayWait(loaded, error)) throw error;
    return waitingMember({ loaded, open, failure: error }, parts);
  }
}

interface Attempts {
  readonly loaded: LoadedDatabase;
  readonly open: () => Promise<CheckedEngine>;
  readonly failure: Error;
}

function waitingMember(
  { loaded, open, failure }: Attempts,
  { log: serviceLog, demandFit, onOpen }: MemberParts,
): Member {
  const { name } = loaded;
  const log = logOf(name, serviceLog);
  const waiting = new WaitingDatabase({
    open: async () => {
      const opened = await open();
      try {
        demandFit(loaded, opened.engine);
        return opened;
      } catch (error) {
        await opened.engine.close();
        throw error;
      }
    },
    failure,
    // An error of the only database ends the service.
    isWaitedFor: name === undefined ? isAway : () => true,
    log,
    onOpen: ({ engine, warnings }) => {
      if (name !== undefined) for (const warning of warnings) log.warn(warning);
      onOpen(loaded, engine);
    },
  });
  const { message } = failure;
  const warning = `The database does not answer: until it does, its models get 503. ${message}`;
  const warnings = name === undefined ? [] : [warning];
  return { loaded, engine: waiting.engine, waiting, warnings };
}

function mayWait({ name, settings }: LoadedDatabase, error: unknown): error is Error {
  if (settings.startup === 'exit' || databaseKind(settings.database)?.isServer !== true)
    return false;
  return isAway(error) || (name !== undefined && error instanceof RefusedConnectionError);
}
