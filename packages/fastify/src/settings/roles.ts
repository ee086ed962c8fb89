import type { SessionRole } from '@proj/engine';
import * as z from 'zod';

import { named } from './named.ts';
import { listed, modelsByName, names } from './short-forms.ts';

const modelGrantSettings = z.strictObject({
  attributes: z
    .union([z.literal('all'), names], 'expected `all`, or a list of attributes')
    .default('all')
    .describe('`all` attributes of the model, or a list.'),
  max_page_size: z
    .int()
    .min(1)
    .optional()
    .describe("The largest page size, where it is smaller than the model's own."),
  rows: named(z.string(), z.unknown())
    .optional()
    .describe(
      'A filter that is added to every query of the role. A value may be a claim of the token: ' +
        '`{ attribute: region, op: eq, value: $claims.region }`.',
    ),
});

const grantedModels = modelsByName(modelGrantSettings);

/** What PostgreSQL learns of the caller. */
const databaseSession = z.strictObject({
  role: z.string().min(1).max(63).describe('The role of the database that reads.'),
  settings: named(
    z.string().regex(/^[a-z_][\w$]*(\.[a-z_][\w$]*)+$/i, 'expected a name such as `app.tenant`'),
    z.string(),
  )
    .default({})
    .describe(
      'Settings that policies read by `current_setting`, by name: a text, a claim of the token ' +
        'such as `$claims.tenant`, or `$claims`, all of them as JSON. A token without the claim ' +
        'gets 403.',
    ),
  trusts: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Functions of policies, such as `auth.uid()`, whose results depend on these settings and ' +
        'on tables alone.',
    ),
});

/** What tokens of the role may see, and nothing else. */
export const roleSettings = z.strictObject({
  models: z
    .union(
      [z.literal('all'), listed(grantedModels, 'all'), grantedModels],
      'expected `all`, a list of models, or a mapping of models by name',
    )
    .describe('`all` models or a list of models with all attributes, or the models by name.'),
  database_session: databaseSession
    .optional()
    .describe(
      'As whom PostgreSQL reads for the role, so that row level security sees the caller. By ' +
        'default as the service.',
    ),
  data_version: z
    .boolean()
    .optional()
    .describe(
      'Whether replies carry `Data-Version`, which changes also with writes to records that ' +
        'the role hides. By default they do where no model of the role has `rows`, and the role ' +
        'no `database_session`.',
    ),
  replicas: z
    .enum(['allowed', 'never'])
    .optional()
    .describe(
      '`allowed`: `replicas` may answer queries that cost much, with a state that is a little ' +
        'older; `never` by default. Replies then carry `Data-Age`, and `Data-Position`, ' +
        'which shows how much the ' +
        'database writes.',
    ),
});

export const rolesSettings = named(z.string(), roleSettings);

export type RoleSettings = z.output<typeof roleSettings>;
export type ModelGrantSettings = z.output<typeof modelGrantSettings>;

/** What the sessions of the roles have in common, whoever asks. */
export function sessionRoles(roles: Readonly<Record<string, RoleSettings>>): SessionRole[] {
  return Object.values(roles).flatMap(({ database_session: session }) =>
    session === undefined ? [] : [{ ...session, settings: Object.keys(session.settings) }],
  );
}
