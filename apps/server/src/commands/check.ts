import { nameTexts } from '@proj/contract';
import { type Engine, openEngine, SettingsError } from '@proj/engine';

import { callerLines } from '../checks/caller-lines.ts';
import { exportNotes } from '../checks/exports.ts';
import type { Findings } from '../checks/findings.ts';
import { unversionedLines } from '../checks/report-lines.ts';
import { workerNotes } from '../checks/workers.ts';
import { databaseFindings, settingsFindings } from '../obstacles.ts';
import { operatorMessage } from '../process/operator-message.ts';
import { onlyDatabase } from '../settings/databases.ts';
import { engineSettings } from '../settings/engine-settings.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import { workersOf } from '../settings/workers.ts';

/** What `check` is asked for. */
export interface CheckOptions {
  /**
   * Whether each relation that is left out has a line of its own, with its remedy. Default: one
   * line for each reason.
   */
  readonly verbose?: boolean;
  /** A role, what callers of which would see is listed too. */
  readonly role?: string;
  /** The claims of such a caller, as JSON. Default: none. */
  readonly claims?: string;
}

/**
 * `dynamic-query check`: checks the settings against the database and lists every error with its
 * place and a remedy.
 */
export async function check(
  loaded: LoadedSettings,
  { verbose = false, role, claims = '{}' }: CheckOptions = {},
): Promise<void> {
  const { settings, notes } = loaded;
  printLines([...notes, ...workerNotes(onlyDatabase(settings))]);
  const found = await settingsFindings(loaded);
  printLines(found.notes);
  const engine = await open(loaded, found);
  try {
    const { errors, notes: ofDatabase } = await databaseFindings({ engine, loaded, verbose });
    printLines(ofDatabase);
    refuse([...found.errors, ...errors]);
    const unversioned = unversionedLines(engine.catalogue, verbose);
    printLines([...unversioned, ...exportNotes(engine, settings)]);
    if (role !== undefined) printLines(await callerLines(engine, settings, { role, claims }));
    printLines([`No errors. Models: ${nameTexts([...engine.catalogue.keys()])}`]);
  } finally {
    await engine.close();
  }
}

/** Where the database cannot be opened, that is the last of the errors. */
async function open({ settings }: LoadedSettings, { errors }: Findings): Promise<Engine> {
  try {
    return await openEngine(
      engineSettings(onlyDatabase(settings), { workers: workersOf(settings) }),
    );
  } catch (error) {
    const message = operatorMessage(error);
    if (message !== undefined && errors.length > 0) refuse([...errors, message]);
    throw error;
  }
}

/** @throws {SettingsError} when there are errors */
function refuse(errors: readonly string[]): void {
  if (errors.length > 0) throw new SettingsError(errors.join('\n'));
}

function printLines(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
