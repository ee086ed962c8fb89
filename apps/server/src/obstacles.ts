import { type Engine, SettingsError } from '@proj/engine';

import { temporaryTokenFor } from './access/temporary-token.ts';
import { checkAuditFile } from './audit/audit-log.ts';
import { accessFindings, catalogueFindings, declaredKeyFindings } from './checks/check-settings.ts';
import { sessionFindings } from './checks/database-sessions.ts';
import { demand, type Findings, NOTHING, together } from './checks/findings.ts';
import { followFindings, followWarnings } from './checks/follow.ts';
import { relationLines } from './checks/relations.ts';
import { replicaFindings, replicaWarnings } from './checks/replicas.ts';
import { explorerWarnings } from './http/routes/explorer-files.ts';
import type { LoadedDatabase } from './settings/databases.ts';
import type { LoadedSettings } from './settings/file/load.ts';
import { checkSecrecy } from './settings/secrecy.ts';

interface OpenedSettings {
  readonly loaded: LoadedDatabase;
  readonly engine: Engine;
  /** Whether each relation that is left out has a line of its own. */
  readonly verbose?: boolean;
}

/** `check` takes longer than a start, and finds more. */
type Purpose = 'start' | 'check';

/** @throws {SettingsError} naming what prevents the start, instead of returning it */
type Obstacle<Subject> = (subject: Subject, purpose: Purpose) => Findings | Promise<Findings>;

/** THE table of obstacles that need no database. */
export const SETTINGS_OBSTACLES: readonly Obstacle<LoadedSettings>[] = [
  ({ settings }) => {
    temporaryTokenFor(settings);
    return NOTHING;
  },
  async (loaded) => warned(await checkSecrecy(loaded)),
  (loaded) => warned(explorerWarnings(loaded)),
  ({ settings }) => {
    checkAuditFile(settings.audit);
    return NOTHING;
  },
];

/** THE table of obstacles that the database shows. */
export const DATABASE_OBSTACLES: readonly Obstacle<OpenedSettings>[] = [
  ({ engine, loaded }) => sessionFindings({ engine, catalogue: engine.catalogue }, loaded),
  ({ engine, loaded, verbose }) => catalogueFindings(engine, loaded, verbose),
  // Of several databases, roles and tokens are checked once all of them are known.
  ({ engine, loaded }) => (loaded.name === undefined ? accessFindings(engine, loaded) : NOTHING),
  ({ engine, loaded }, purpose) =>
    purpose === 'check' || loaded.settings.verify_keys === 'start'
      ? declaredKeyFindings(engine, loaded)
      : NOTHING,
  async ({ engine }) => warned(await engine.warnings()),
  ({ engine, verbose = false }, purpose) =>
    purpose === 'check' ? { errors: [], notes: relationLines(engine, verbose) } : NOTHING,
  async ({ engine, loaded }, purpose) =>
    purpose === 'check'
      ? followFindings(engine, loaded)
      : warned(await followWarnings(engine, loaded)),
  async ({ engine, loaded }, purpose) => {
    if (purpose === 'start') return warned(await replicaWarnings(engine, loaded));
    const { errors, notes } = await replicaFindings(engine, loaded);
    return { errors, notes: warned(notes).notes };
  },
];

/** @returns warnings; throws a {@link SettingsError} naming the first obstacle */
export async function passAll<Subject>(
  obstacles: readonly Obstacle<Subject>[],
  subject: Subject,
): Promise<string[]> {
  const notes: string[] = [];
  for (const look of obstacles) notes.push(...demand(await look(subject, 'start')));
  return notes;
}

/** For `dynamic-query check`. */
export async function findAll<Subject>(
  obstacles: readonly Obstacle<Subject>[],
  subject: Subject,
): Promise<Findings> {
  const all: Findings[] = [];
  for (const look of obstacles) all.push(await findingsOf(() => look(subject, 'check')));
  return together(all);
}

/** A thrown error too is one of all. */
async function findingsOf(look: () => Findings | Promise<Findings>): Promise<Findings> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { errors: [error.message], notes: [] };
  }
}

function warned(texts: readonly string[]): Findings {
  return { errors: [], notes: texts.map((text) => `warning: ${text}`) };
}
