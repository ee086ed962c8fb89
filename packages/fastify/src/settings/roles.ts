import type { SessionRole } from '@proj/engine';
import * as z from 'zod';

import { listed, modelsByName, named, names } from './mappings.ts';

const modelGrantSettings = z.strictObject({
  attributes: z
    .union([z.literal('all'), names], 'expected `all`, or a list of attributes')
    .default('all'),
  max_page_size: z.int().min(1).optional(),
  rows: named(z.string(), z.unknown()).optional(),
});

const grantedModels = modelsByName(modelGrantSettings);

/** What PostgreSQL learns of the caller. */
const databaseSession = z.strictObject({
  role: z.string().min(1).max(63),
  settings: named(
    z.string().regex(/^[a-z_][\w$]*(\.[a-z_][\w$]*)+$/i, 'expected a name such as `app.tenant`'),
    z.string(),
  ).default({}),
  trusts: z.array(z.string().min(1)).default([]),
});

/** What tokens of the role may see, and nothing else. */
export const roleSettings = z.strictObject({
  models: z.union(
    [z.literal('all'), listed(grantedModels, 'all'), grantedModels],
    'expected `all`, a list of models, or a mapping of models by name',
  ),
  database_session: databaseSession.optional(),
  data_version: z.boolean().optional(),
  replicas: z.enum(['allowed', 'never']).optional(),
});

export const rolesSettings = named(z.string(), roleSettings);

export type RoleSettings = z.output<typeof roleSettings>;
export type Roles = Readonly<Record<string, RoleSettings>>;
export type ModelGrantSettings = z.output<typeof modelGrantSettings>;

export function roleOf(roles: Roles, name: string): RoleSettings | undefined {
  return Object.hasOwn(roles, name) ? roles[name] : undefined;
}

/** What the sessions of the roles have in common, whoever asks. */
export function sessionRoles(roles: Roles): SessionRole[] {
  return Object.values(roles).flatMap(({ database_session: session }) =>
    session === undefined ? [] : [{ ...session, settings: Object.keys(session.settings) }],
  );
}
