import type { ReplicaSettings } from '@proj/engine';
import type { RoleSettings } from '@proj/fastify/settings';

import type { LoadedSettings } from './file/load.ts';
import { mayOwn, type PerDatabase } from './groups/databases.ts';
import { replicasOf } from './groups/replicas.ts';
import type { Settings } from './schema.ts';

/** The settings as one database has them: it is their only one. */
export interface DatabaseSettings extends Settings {
  readonly database: string;
  /** Its name among several; undefined where there is one. */
  readonly databaseName?: string | undefined;
  /** What is before the names of its models; undefined where nothing is. */
  readonly prefix?: string | undefined;
}

/** One database of settings. */
export interface Database {
  /** Undefined where the settings have `database`. */
  readonly name: string | undefined;
  readonly settings: DatabaseSettings;
  /** Whether a model of this name is one of its own, if it is one at all. */
  readonly mayOwn: (model: string) => boolean;
}

/** One database of settings, with the places where they stand. */
export type LoadedDatabase = Database & Omit<LoadedSettings, 'settings'>;

/** What is written below a database, where there are several. */
const BELOW: ReadonlySet<PropertyKey> = new Set<PerDatabase>([
  'pooler',
  'follow',
  'cluster',
  'replicas',
  'expose',
  'models',
]);

/** The databases of settings, each as if it were their only one. */
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

/** The databases of settings that were read. */
export function databasesOf(loaded: LoadedSettings): LoadedDatabase[] {
  return databasesIn(loaded.settings).map((database) => {
    const { name } = database;
    const place: LoadedSettings['place'] = (path) =>
      loaded.place(name === undefined ? path : placeOf(path, name));
    return { ...loaded, ...database, place };
  });
}

/** The replicas of each database that has some. */
export function replicasIn(settings: Settings): ReplicaSettings[] {
  return databasesIn(settings).flatMap((one) => replicasOf(one.settings.replicas) ?? []);
}

/** The name of a model in the settings of its database; undefined where it is of another. */
export function nameInSettings(
  model: string,
  { prefix }: Pick<DatabaseSettings, 'prefix'>,
): string | undefined {
  if (prefix === undefined) return model;
  return model.startsWith(`${prefix}.`) ? model.slice(prefix.length + 1) : undefined;
}

/** A message about one of several databases, which each line names. */
export function ofDatabase(name: string | undefined, message: string): string {
  return name === undefined ? message : message.replaceAll(/^(?! )/gm, `${name}: `);
}

function placeOf(path: readonly PropertyKey[], name: string): readonly PropertyKey[] {
  const [first = ''] = path;
  if (first === 'database') return ['databases', name, 'url'];
  return BELOW.has(first) ? ['databases', name, ...path] : path;
}

/** The roles that may see a model of a database, with no others than its models. */
function rolesIn(roles: Settings['roles'], owns: (model: string) => boolean): Settings['roles'] {
  const seeing = Object.entries(roles).flatMap(([name, role]): [string, RoleSettings][] => {
    if (role.models === 'all') return [[name, role]];
    const models = Object.entries(role.models).filter(([model]) => owns(model));
    return models.length === 0 ? [] : [[name, { ...role, models: Object.fromEntries(models) }]];
  });
  return Object.fromEntries(seeing);
}
