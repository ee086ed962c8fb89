import type { ReplicaSettings } from '@proj/engine';
import type { RoleSettings } from '@proj/fastify/settings';

import type { LoadedSettings } from './file/load.ts';
import { mayOwn, PER_DATABASE } from './groups/databases.ts';
import { replicasOf } from './groups/replicas.ts';
import type { Settings } from './schema.ts';

/** As one database has them: it is their only one. */
export interface DatabaseSettings extends Settings {
  readonly database: string;
  /** Undefined where there is one database. */
  readonly databaseName?: string | undefined;
  /** Precedes the names of its models, if set. */
  readonly prefix?: string | undefined;
}

export interface Database {
  /** Undefined where the settings have `database`. */
  readonly name: string | undefined;
  readonly settings: DatabaseSettings;
  readonly mayOwn: (model: string) => boolean;
}

export type LoadedDatabase = Database & Omit<LoadedSettings, 'settings'>;

/** Each as if it were the only one. */
export function databasesIn(settings: Settings): Database[] {
  const { database = '', databases, ...others } = settings;
  if (databases === undefined)
    return [{ name: undefined, settings: { ...others, database }, mayOwn: () => true }];
  return Object.entries(databases).map(([name, { url, prefix, ...own }]) => {
    const owns = (model: string): boolean => mayOwn(databases, name, model);
    const roles = rolesIn(others.roles, owns);
    const named = {
      database: url,
      databaseName: name,
      prefix: prefix === 'none' ? undefined : name,
    };
    return { name, settings: { ...others, ...own, ...named, roles }, mayOwn: owns };
  });
}

export function databasesOf(loaded: LoadedSettings): LoadedDatabase[] {
  return databasesIn(loaded.settings).map((database) => {
    const { name } = database;
    const place: LoadedSettings['place'] = (path) =>
      loaded.place(name === undefined ? path : placeOf(path, name));
    return { ...loaded, ...database, place };
  });
}

export function replicasIn(settings: Settings): ReplicaSettings[] {
  return databasesIn(settings).flatMap((one) => replicasOf(one.settings.replicas) ?? []);
}

/** Undefined where the model is of another database. */
export function nameInSettings(
  model: string,
  { prefix }: Pick<DatabaseSettings, 'prefix'>,
): string | undefined {
  if (prefix === undefined) return model;
  return model.startsWith(`${prefix}.`) ? model.slice(prefix.length + 1) : undefined;
}

/** Names one of several databases in each line. */
export function ofDatabase(name: string | undefined, message: string): string {
  return name === undefined ? message : message.replaceAll(/^(?! )/gm, `${name}: `);
}

function placeOf(path: readonly PropertyKey[], name: string): readonly PropertyKey[] {
  const [first = ''] = path;
  if (first === 'database') return ['databases', name, 'url'];
  return Object.hasOwn(PER_DATABASE, first) ? ['databases', name, ...path] : path;
}

/** Roles that may see a model of a database, with its models only. */
function rolesIn(roles: Settings['roles'], owns: (model: string) => boolean): Settings['roles'] {
  const seeing = Object.entries(roles).flatMap(([name, role]): [string, RoleSettings][] => {
    if (role.models === 'all') return [[name, role]];
    const models = Object.entries(role.models).filter(([model]) => owns(model));
    return models.length === 0 ? [] : [[name, { ...role, models: Object.fromEntries(models) }]];
  });
  return Object.fromEntries(seeing);
}
