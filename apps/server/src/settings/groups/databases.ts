import { isDeepStrictEqual } from 'node:util';

import { named, type RoleSettings } from '@proj/fastify/settings';
import * as z from 'zod';

import { databaseKind } from '../database-kinds.ts';
import type { followSettings } from './follow.ts';
import { replicaUrlErrors, type replicaSettings } from './replicas.ts';

/** THE list of settings of each of several databases, beside its URL. */
export const PER_DATABASE = {
  pooler: true,
  follow: true,
  cluster: true,
  replicas: true,
  expose: true,
  models: true,
} as const;

/** @param members the settings of each database */
export function databasesSettings<Members extends z.core.$ZodShape>(members: Members) {
  const database = z.strictObject({
    url: z.string().min(1),
    prefix: z.enum(['name', 'none']).default('name'),
    ...members,
  });
  const name = z
    .string()
    .regex(/^[a-z]\w{0,31}$/i, 'expected a name of 1 to 32 letters, digits and _, such as `shop`');
  return named(name, database).refine(
    (databases) => Object.keys(databases).length > 0,
    'expected one database at least',
  );
}

interface CheckedDatabase {
  readonly follow?: z.output<typeof followSettings> | undefined;
  readonly replicas?: z.output<typeof replicaSettings> | undefined;
}

interface CheckedSettings extends CheckedDatabase {
  readonly database?: string | undefined;
  readonly databases?: (NamedDatabases & DatabasesByName) | undefined;
  readonly roles: Readonly<Record<string, RoleSettings>>;
}

type DatabasesByName = Readonly<Record<string, CheckedDatabase & { readonly url: string }>>;

interface SettingsIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** @param defaults of the settings of each of several databases */
export function databaseIssues(settings: CheckedSettings, defaults: object): SettingsIssue[] {
  const { database, databases } = settings;
  if (databases !== undefined)
    return [...misplaced(settings, defaults), ...issuesOfSeveral(settings)];
  if (database === undefined) return [];
  const roles =
    databaseKind(database)?.hasSessions === true ? [] : rolesWithSession(settings.roles);
  return [
    ...issuesOfOne(database, settings),
    ...roles.map(({ path }) => ({ path, message: `${ONLY_POSTGRES} ${GIVE_ROWS}` })),
  ];
}

const ONLY_POSTGRES = 'only PostgreSQL can know who asks.';

const GIVE_ROWS = 'Give the models of the role `rows`.';

/** Written beside `databases` instead of below one of them. */
function misplaced(settings: CheckedSettings, defaults: object): SettingsIssue[] {
  const both = 'there are `databases` too. Leave one of both out.';
  const message = 'each of `databases` has its own. Write it below one of them';
  const written = Object.keys(PER_DATABASE).filter(
    (name) => !isDeepStrictEqual(Reflect.get(settings, name), Reflect.get(defaults, name)),
  );
  return [
    ...(settings.database === undefined ? [] : [{ path: ['database'], message: both }]),
    ...written.map((name) => ({ path: [name], message })),
  ];
}

function issuesOfSeveral({ databases = {}, roles }: CheckedSettings): SettingsIssue[] {
  const ofDatabases = Object.entries(databases).flatMap(([name, { url, ...one }]) =>
    issuesOfOne(url, one).map(({ path, message }) => ({
      path: ['databases', name, ...path],
      message,
    })),
  );
  const ofRoles = rolesWithSession(roles).flatMap(({ path, models }) => {
    const without = Object.entries(databases).find(
      ([name, { url }]) =>
        databaseKind(url)?.hasSessions !== true &&
        (models === 'all' || Object.keys(models).some((model) => mayOwn(databases, name, model))),
    );
    if (without === undefined) return [];
    const reach = `The role reaches the database \`${without[0]}\`.`;
    return [{ path, message: `${ONLY_POSTGRES} ${reach} ${GIVE_ROWS}` }];
  });
  return [...ofDatabases, ...ofRoles];
}

function issuesOfOne(url: string, { follow = false, replicas }: CheckedDatabase): SettingsIssue[] {
  const message = 'only changes of a PostgreSQL server can be followed. Leave it out.';
  return [
    ...(follow === false || databaseKind(url)?.canFollow === true
      ? []
      : [{ path: ['follow'], message }]),
    ...replicaUrlErrors(url, replicas).map((error) => ({
      path: ['replicas', ...error.path],
      message: error.message,
    })),
  ];
}

function rolesWithSession(
  roles: CheckedSettings['roles'],
): { readonly path: readonly string[]; readonly models: RoleSettings['models'] }[] {
  return Object.entries(roles).flatMap(([name, { database_session: session, models }]) =>
    session === undefined ? [] : [{ path: ['roles', name, 'database_session'], models }],
  );
}

/** What determines the names of each database's models. */
export type NamedDatabases = Readonly<
  Record<
    string,
    {
      readonly prefix: 'name' | 'none';
      readonly expose: 'listed' | 'all';
      readonly models: Readonly<Record<string, unknown>>;
    }
  >
>;

/** Whether a model of this name, if any, belongs to the database. */
export function mayOwn(databases: NamedDatabases, name: string, model: string): boolean {
  const prefixes = Object.keys(databases).filter((one) => databases[one]?.prefix !== 'none');
  const found = prefixes.find((one) => model.startsWith(`${one}.`));
  if (found !== undefined) return found === name;
  const { prefix, expose, models = {} } = databases[name] ?? {};
  return prefix === 'none' && (expose === 'all' || Object.hasOwn(models, model));
}
