import { nameTexts } from '@proj/contract';
import { type Engine, SettingsError } from '@proj/engine';

import { callerLines } from '../checks/caller-lines.ts';
import { accessFindings } from '../checks/check-settings.ts';
import { unversionedLines } from '../checks/report-lines.ts';
import { workerNotes } from '../checks/workers.ts';
import { openAt } from '../databases/open-database.ts';
import { repeatedNames } from '../databases/unique-names.ts';
import { DATABASE_OBSTACLES, findAll, SETTINGS_OBSTACLES } from '../obstacles.ts';
import { operatorMessage } from '../process/operator-message.ts';
import {
  databasesOf,
  type DatabaseSettings,
  type LoadedDatabase,
  ofDatabase,
} from '../settings/databases.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import { workersOf } from '../settings/workers.ts';

export interface CheckOptions {
  /** Whether each relation that is left out has its own line and remedy. Default: one a reason. */
  readonly verbose?: boolean;
  /** Also list what callers of this role would see. */
  readonly role?: string;
  /** The claims of such a caller, as JSON. Default: none. */
  readonly claims?: string;
}

/** Checks the settings against the databases; lists every error with place and remedy. */
export async function check(loaded: LoadedSettings, options: CheckOptions = {}): Promise<void> {
  const databases = databasesOf(loaded);
  printLines(loaded.notes);
  for (const { name, settings } of databases) printLines(workerNotes(settings), name);
  const found = await findAll(SETTINGS_OBSTACLES, loaded);
  printLines(found.notes);
  const opened: OpenedDatabase[] = [];
  try {
    const errors = [...found.errors];
    for (const database of databases) errors.push(...(await checkOne(database, options, opened)));
    errors.push(...jointErrors(loaded, opened));
    if (errors.length > 0) throw new SettingsError(errors.join('\n'));
    for (const one of opened) await printMore(one, options);
    const names = opened.flatMap(({ engine }) => [...engine.catalogue.keys()]);
    printLines([`No errors. Models: ${nameTexts(names)}`]);
  } finally {
    await Promise.all(opened.map(({ engine }) => engine.close()));
  }
}

interface OpenedDatabase {
  readonly loaded: LoadedDatabase;
  readonly engine: Engine;
}

/** Failing to open the database is the last error. */
async function checkOne(
  loaded: LoadedDatabase,
  { verbose = false }: CheckOptions,
  opened: OpenedDatabase[],
): Promise<string[]> {
  const { name, settings } = loaded;
  let engine: Engine;
  try {
    engine = await openAt(loaded, { workers: workersOf(settings) });
  } catch (error) {
    const message = operatorMessage(error);
    if (message === undefined) throw error;
    return [ofDatabase(name, message)];
  }
  opened.push({ loaded, engine });
  const { errors, notes } = await findAll(DATABASE_OBSTACLES, { engine, loaded, verbose });
  printLines(notes, name);
  return errors.map((line) => ofDatabase(name, line));
}

function jointErrors(loaded: LoadedSettings, opened: readonly OpenedDatabase[]): readonly string[] {
  if (loaded.settings.databases === undefined) return [];
  const known = opened.map(({ loaded: { name = '' }, engine }) => ({ name, engine }));
  const away = databasesOf(loaded).filter(({ name }) => known.every((one) => one.name !== name));
  const models = {
    catalogue: new Map(known.flatMap(({ engine }) => [...engine.catalogue])),
    reports: known.flatMap(({ engine }) => engine.reports),
    mayHave: (model: string): boolean => away.some(({ mayOwn }) => mayOwn(model)),
  };
  const names = known.map(({ name, engine: { catalogue } }) => ({ name, catalogue }));
  return [...repeatedNames(names), ...accessFindings(models, loaded).errors];
}

async function printMore(
  { loaded: { name, settings }, engine }: OpenedDatabase,
  { verbose = false, role, claims = '{}' }: CheckOptions,
): Promise<void> {
  const unversioned = unversionedLines(engine.catalogue, verbose);
  printLines([...unversioned, ...exportNotes(engine, settings)], name);
  if (role === undefined) return;
  const isElsewhere = name !== undefined && !Object.hasOwn(settings.roles, role);
  if (!isElsewhere) printLines(await callerLines(engine, settings, { role, claims }), name);
}

function exportNotes(
  engine: Pick<Engine, 'exportsHoldUpWrites'>,
  { limits }: DatabaseSettings,
): string[] {
  const { export_timeout_ms: ofExport, query_timeout_ms: ofQuery } = limits;
  if (ofQuery >= ofExport || !engine.exportsHoldUpWrites()) return [];
  return [
    'limits.export_timeout_ms: the SQLite file has no write-ahead log, so nobody can write to it ' +
      `while an export runs. So exports end after limits.query_timeout_ms (${ofQuery}). ` +
      'Run `pragma journal_mode = wal` in the database to give them the time of this setting.',
  ];
}

/** @param database its name, where there are several */
function printLines(lines: readonly string[], database?: string): void {
  for (const line of lines) process.stdout.write(`${ofDatabase(database, line)}\n`);
}
