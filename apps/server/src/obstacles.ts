import { type Engine, SettingsError } from '@proj/engine';
import type { AccessSettingsError, KnownModels } from '@proj/fastify/settings';

import { accessErrors } from './access/check-access.ts';
import { temporaryTokenFor } from './access/temporary-token.ts';
import { checkAuditFile } from './audit/audit-log.ts';
import { checkAccess, checkCatalogue, checkDeclaredKeys } from './checks/check-settings.ts';
import { checkSessions, sessionFindings } from './checks/database-sessions.ts';
import type { Findings } from './checks/findings.ts';
import { followFindings, followWarnings } from './checks/follow.ts';
import { relationLines } from './checks/relations.ts';
import { replicaFindings, replicaWarnings } from './checks/replicas.ts';
import { reportLines } from './checks/report-lines.ts';
import { explorerWarnings } from './http/routes/explorer-files.ts';
import type { LoadedDatabase } from './settings/databases.ts';
import type { LoadedSettings } from './settings/file/load.ts';
import { checkSecrecy } from './settings/secrecy.ts';

export interface OpenedSettings {
  readonly loaded: LoadedDatabase;
  readonly engine: Engine;
  /** Whether each relation that is left out has a line of its own. */
  readonly verbose?: boolean;
}

type Lines = readonly string[];

interface Obstacle<Subject> {
  /** @returns warnings; throws a {@link SettingsError} naming what prevents the start */
  readonly start: (subject: Subject) => Lines | Promise<Lines>;
  /** For `dynamic-query check`, where that takes longer and finds more than `start`. */
  readonly check?: (subject: Subject) => Findings | Promise<Findings>;
}

/** THE table of obstacles that need no database. */
const SETTINGS_OBSTACLES: readonly Obstacle<LoadedSettings>[] = [
  {
    start: ({ settings }) => {
      temporaryTokenFor(settings);
      return [];
    },
  },
  { start: async (loaded) => (await checkSecrecy(loaded)).map(asWarning) },
  { start: (loaded) => explorerWarnings(loaded).map(asWarning) },
  {
    start: ({ settings }) => {
      checkAuditFile(settings.audit);
      return [];
    },
  },
];

/** THE table of obstacles that the database shows. */
const DATABASE_OBSTACLES: readonly Obstacle<OpenedSettings>[] = [
  {
    start: ({ engine, loaded }) => checkSessions({ engine, catalogue: engine.catalogue }, loaded),
    check: ({ engine, loaded }) => sessionFindings({ engine, catalogue: engine.catalogue }, loaded),
  },
  { start: ({ engine, loaded, verbose }) => checkCatalogue(engine, loaded, verbose) },
  {
    // Of several databases, roles and tokens are checked once all of them are known.
    start: ({ engine, loaded }) => {
      if (loaded.name === undefined) checkAccess(engine, loaded);
      return [];
    },
    check: ({ engine, loaded }) => ({
      errors: loaded.name === undefined ? accessLines(engine, loaded) : [],
      notes: [],
    }),
  },
  {
    start: async ({ engine, loaded }) => {
      if (loaded.settings.verify_keys === 'start') await checkDeclaredKeys(engine, loaded);
      return [];
    },
    check: ({ engine, loaded }) =>
      findingsOf(async () => {
        await checkDeclaredKeys(engine, loaded);
        return [];
      }),
  },
  { start: async ({ engine }) => (await engine.warnings()).map(asWarning) },
  {
    start: () => [],
    check: ({ engine, verbose = false }) => ({
      errors: [],
      notes: relationLines(engine, verbose),
    }),
  },
  {
    start: async ({ engine, loaded }) => (await followWarnings(engine, loaded)).map(asWarning),
    check: ({ engine, loaded }) => followFindings(engine, loaded),
  },
  {
    start: async ({ engine, loaded }) => (await replicaWarnings(engine, loaded)).map(asWarning),
    check: async ({ engine, loaded }) => {
      const { errors, notes } = await replicaFindings(engine, loaded);
      return { errors, notes: notes.map(asWarning) };
    },
  },
];

/** @returns warnings; throws a {@link SettingsError} naming the first obstacle */
export async function passSettings(loaded: LoadedSettings): Promise<string[]> {
  return passAll(SETTINGS_OBSTACLES, loaded);
}

/** The same for settings whose database is open. */
export async function passDatabase(opened: OpenedSettings): Promise<string[]> {
  return passAll(DATABASE_OBSTACLES, opened);
}

export async function settingsFindings(loaded: LoadedSettings): Promise<Findings> {
  return allFindings(SETTINGS_OBSTACLES, loaded);
}

/** The same for settings whose database is open. */
export async function databaseFindings(opened: OpenedSettings): Promise<Findings> {
  return allFindings(DATABASE_OBSTACLES, opened);
}

async function passAll<Subject>(
  obstacles: readonly Obstacle<Subject>[],
  subject: Subject,
): Promise<string[]> {
  const notes: string[] = [];
  for (const { start } of obstacles) notes.push(...(await start(subject)));
  return notes;
}

async function allFindings<Subject>(
  obstacles: readonly Obstacle<Subject>[],
  subject: Subject,
): Promise<Findings> {
  const all: Findings[] = [];
  for (const { start, check } of obstacles)
    all.push(await (check === undefined ? findingsOf(() => start(subject)) : check(subject)));
  return {
    errors: all.flatMap(({ errors }) => errors),
    notes: all.flatMap(({ notes }) => notes),
  };
}

/** Turns a thrown error into an error, returned lines into notes. */
async function findingsOf(look: () => Lines | Promise<Lines>): Promise<Findings> {
  try {
    return { errors: [], notes: await look() };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { errors: [error.message], notes: [] };
  }
}

/** Ignores roles that name a model which is left out, which is reported by itself. */
export function accessLines(
  known: KnownModels & Pick<Engine, 'reports'>,
  { settings, place }: LoadedSettings,
): Lines {
  const errors = accessErrors(settings, known).filter(
    ({ path }: AccessSettingsError) =>
      !(
        isModelOfRole(path) &&
        known.reports.some(({ listed, model }) => listed && model === path[3])
      ),
  );
  return reportLines(errors, place);
}

function isModelOfRole(path: AccessSettingsError['path']): boolean {
  return path.length === 4 && path[0] === 'roles' && path[2] === 'models';
}

function asWarning(text: string): string {
  return `warning: ${text}`;
}
