import { type AnsweringEngine, type Engine, openEngine, SettingsError } from '@proj/engine';

import { type AccessSettingsError, roleErrors } from '../access/check-roles.ts';
import { type Roles, sessionRoles } from '../settings/roles.ts';
import { limitSettings } from '../settings/limits.ts';
import { modelSettings, reportLine } from '../settings/model-settings.ts';
import type { ReadOptions } from './data-options.ts';

export interface OpenedEngine {
  readonly engine: AnsweringEngine;
  /** Undefined where callers have none. */
  readonly roles: Roles | undefined;
  readonly close: () => Promise<void>;
}

type EngineOptions = Pick<
  ReadOptions<never>,
  'database' | 'kinds' | 'models' | 'engine' | 'roles' | 'limits'
>;

/** @throws {SettingsError} naming each option that does not fit what the database has */
export async function openChecked(options: EngineOptions): Promise<OpenedEngine> {
  const { roles } = options;
  if (options.engine !== undefined) {
    const others = [options.database, options.models, options.limits];
    if (others.some((option) => option !== undefined))
      throw new SettingsError('engine: it has its own database, models and limits. Pass it alone.');
    checkRoles(options.engine, roles);
    return { engine: options.engine, roles, close: async () => undefined };
  }
  const engine = await openDatabase(options, roles);
  try {
    refuse(engine.reports.filter(({ listed }) => listed));
    if (engine.catalogue.size === 0)
      throw new SettingsError('models: none can be served. The database has no table with a key.');
    checkRoles(engine, roles);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return { engine, roles, close: () => engine.close() };
}

async function openDatabase(
  { database, kinds = [], models, limits = limitSettings.parse({}) }: EngineOptions,
  roles: Roles = {},
): Promise<Engine> {
  if (database === undefined)
    throw new SettingsError('database: none is given. Pass its URL, or an `engine` that is open.');
  if (models === undefined || Object.keys(models).length === 0)
    throw new SettingsError("models: none are given. Name them, or pass 'all'.");
  const named = models === 'all' ? {} : models;
  const [ofFiles] = Object.entries(named).flatMap(([name, { files }]) => (files ? name : []));
  if (ofFiles !== undefined)
    throw new SettingsError(
      `models.${ofFiles}.files: in an app, give them to DuckDB: kinds: [duckdbWith({ files })].`,
    );
  return openEngine({
    database,
    kinds,
    expose: models === 'all' ? 'all' : 'listed',
    models: modelSettings(named),
    sessions: sessionRoles(roles),
    maxPageSize: limits.max_page_size,
    queryTimeoutMs: limits.query_timeout_ms,
  });
}

function checkRoles({ catalogue }: AnsweringEngine, roles: Roles | undefined): void {
  if (roles !== undefined) refuse(roleErrors(roles, { catalogue }));
}

function refuse(reports: readonly AccessSettingsError[]): void {
  const lines = reports.map((report) => reportLine(report));
  if (lines.length > 0) throw new SettingsError(lines.join('\n'));
}
