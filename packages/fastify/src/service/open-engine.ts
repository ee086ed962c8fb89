import { nameText } from '@proj/contract';
import { type AnsweringEngine, type Engine, openEngine, SettingsError } from '@proj/engine';
import * as z from 'zod';

import { type AccessSettingsError, roleErrors } from '../access/check-roles.ts';
import type { Roles } from '../access/roles.ts';
import { modelSettings, placeInFile } from '../settings/model-settings.ts';
import { modelsSettings } from '../settings/models.ts';
import { rolesSettings, sessionRoles } from '../settings/roles.ts';
import { settingIssues, settingMessage } from '../settings/setting-message.ts';
import type { DataOptions } from './data-options.ts';

export interface OpenedEngine {
  readonly engine: AnsweringEngine;
  /** Undefined where callers have none. */
  readonly roles: Roles | undefined;
  readonly close: () => Promise<void>;
}

type EngineOptions = Omit<DataOptions<never>, 'principal' | 'routes' | 'onQuery'>;

/**
 * Opens the database, or takes the engine, and checks the options against what it has.
 *
 * @throws {SettingsError} naming each invalid option
 * @throws {QueryFailedError} when the database does not answer
 */
export async function openChecked(options: EngineOptions): Promise<OpenedEngine> {
  const roles = rolesOf(options.roles);
  if (options.engine !== undefined) {
    if (options.database !== undefined || options.models !== undefined)
      throw new SettingsError('engine: it has its own database and models. Pass it alone.');
    checkRoles(options.engine, roles);
    return { engine: options.engine, roles, close: async () => undefined };
  }
  const engine = await openDatabase(options, roles);
  try {
    checkCatalogue(engine);
    checkRoles(engine, roles);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return { engine, roles, close: () => engine.close() };
}

async function openDatabase(
  { database, kinds = [], models, limits }: EngineOptions,
  roles: Roles = {},
): Promise<Engine> {
  if (database === undefined)
    throw new SettingsError('database: none is given. Pass its URL, or an `engine` that is open.');
  if (models === undefined)
    throw new SettingsError("models: none are given. Name them, or pass 'all'.");
  const named = models === 'all' ? {} : parsed('models', modelsSettings, models);
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
    maxPageSize: limits?.max_page_size ?? 1000,
    queryTimeoutMs: limits?.query_timeout_ms ?? 10_000,
  });
}

/** In short a role is its models alone. */
function rolesOf(roles: EngineOptions['roles']): Roles | undefined {
  if (roles === undefined) return undefined;
  const long = Object.entries(roles).map(([name, role]) => [
    name,
    Object.hasOwn(role, 'models') ? role : { models: role },
  ]);
  return parsed('roles', rolesSettings, Object.fromEntries(long));
}

/** @throws {SettingsError} naming each mistake by its place */
function parsed<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const reading = schema.safeParse(value);
  if (reading.success) return reading.data;
  const forms = z.toJSONSchema(schema, { io: 'input' });
  const lines = settingIssues(reading.error).map((issue) => {
    const place = [name, ...issue.path.map(String)].map(nameText).join('.');
    return `${place}: ${settingMessage(issue, forms)}`;
  });
  throw new SettingsError(lines.join('\n'));
}

function checkCatalogue({ catalogue, reports }: Engine): void {
  refuse(reports.filter(({ listed }) => listed));
  if (catalogue.size > 0) return;
  throw new SettingsError('models: none can be served. The database has no table with a key.');
}

function checkRoles({ catalogue }: AnsweringEngine, roles: Roles | undefined): void {
  if (roles !== undefined) refuse(roleErrors(roles, { catalogue }));
}

function refuse(reports: readonly AccessSettingsError[]): void {
  if (reports.length === 0) return;
  const lines = reports.map(
    ({ path, problem, remedy }) =>
      `${placeInFile(path).map(nameText).join('.')}: ${problem} ${remedy}`,
  );
  throw new SettingsError(lines.join('\n'));
}
