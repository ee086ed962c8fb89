import { isOperator, OPERATORS } from '@proj/contract';
import { type Catalogue, type CatalogueReport, type Model, rowPolicyErrors } from '@proj/engine';

import type { ModelGrantSettings, TokenSettings } from '../settings/groups/access.ts';
import type { JwtSettings } from '../settings/groups/jwt.ts';
import { namesClaim } from './row-claims.ts';
import type { Roles } from './roles.ts';
import { sha256 } from './tokens.ts';

/** What the settings say of access. */
export interface AccessSettings {
  readonly roles: Roles;
  /** The admin token. */
  readonly token?: string | undefined;
  readonly tokens: readonly TokenSettings[];
  readonly jwt: readonly JwtSettings[];
}

/** An error of the access settings. */
export type AccessSettingsError = Pick<CatalogueReport, 'path' | 'problem' | 'remedy'>;

/** The models that roles may name. */
export interface KnownModels {
  readonly catalogue: Catalogue;
  /** Whether there may be a model of this name, in a database that has not answered yet. */
  readonly mayHave?: (model: string) => boolean;
}

/** Every error of roles and tokens, held against the models that are known. */
export function accessErrors(
  { roles, token: adminToken, tokens, jwt }: AccessSettings,
  known: KnownModels,
): AccessSettingsError[] {
  return [
    ...adminTokenErrors(adminToken, tokens),
    ...roleErrors(roles, known),
    ...jwt.flatMap((issuer, index) =>
      [...issuer.roles].flatMap(([value, role]) =>
        roleError(role, ['jwt', String(index), 'roles', value], roles),
      ),
    ),
    ...tokens.flatMap((token, index) => {
      const path = ['tokens', String(index)];
      return [
        ...roleError(token.role, [...path, 'role'], roles),
        ...repeatedTokenErrors(token, tokens.slice(0, index), path),
      ];
    }),
  ];
}

/**
 * The error of an admin token that is also listed in `tokens`: whoever holds it would have every
 * right.
 */
function adminTokenErrors(
  adminToken: string | undefined,
  tokens: readonly TokenSettings[],
): AccessSettingsError[] {
  const hash = adminToken === undefined ? undefined : sha256(adminToken);
  const same = tokens.find((token) => token.sha256 === hash);
  if (same === undefined) return [];
  return [
    {
      path: ['token'],
      problem: `It is the token "${same.name}" of \`tokens\` too, and would give it every right.`,
      remedy: 'Choose another admin token, or set none.',
    },
  ];
}

function roleErrors(roles: Roles, known: KnownModels): AccessSettingsError[] {
  return Object.entries(roles).flatMap(([name, { models }]) =>
    Object.entries(models === 'all' ? {} : models).flatMap(([model, grant]) =>
      grantErrors(['roles', name, 'models', model], grant, known),
    ),
  );
}

type PlainError = Omit<AccessSettingsError, 'path'>;

function grantErrors(
  path: readonly string[],
  grant: ModelGrantSettings,
  { catalogue, mayHave = () => false }: KnownModels,
): AccessSettingsError[] {
  const name = path.at(-1) ?? '';
  const model = catalogue.get(name);
  if (model === undefined && !mayHave(name)) {
    const remedy = `There are: ${[...catalogue.keys()].join(', ') || 'none'}.`;
    return [{ path, problem: 'There is no such model.', remedy }];
  }
  return [
    ...(model === undefined ? [] : unknownAttributes(grant, model)).map((error) => ({
      path: [...path, 'attributes'],
      ...error,
    })),
    ...rowErrors(grant, model).map((error) => ({ path: [...path, 'rows'], ...error })),
  ];
}

function unknownAttributes({ attributes }: ModelGrantSettings, model: Model): PlainError[] {
  const names = attributes === 'all' ? [] : attributes;
  const remedy = `It has: ${[...model.attributes.keys()].join(', ')}.`;
  return names
    .filter((name) => !model.attributes.has(name))
    .map((name) => ({ problem: `The model has no attribute named "${name}".`, remedy }));
}

/**
 * Errors of a row filter, as far as they can be found before claims of a token take their places.
 */
function rowErrors({ rows }: ModelGrantSettings, model: Model | undefined): PlainError[] {
  const filter = withListedClaims(rows);
  if (filter === undefined) return [];
  return rowPolicyErrors(filter, model)
    .filter(
      ({ code, pointer }) => code !== 'invalid_value' || !namesClaim(valueAt(filter, pointer)),
    )
    .map(({ pointer, detail }) => ({
      problem: detail.startsWith(pointer) ? detail : `${pointer}: ${detail}`,
      remedy: 'See docs/reference/operators.md.',
    }));
}

/**
 * A filter in which a claim that stands for a list is a list, so that the rest of the filter can be
 * checked.
 */
function withListedClaims(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withListedClaims);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(
    ([key, member]: [string, unknown]) => [key, withListedClaims(member)] as const,
  );
  const node: Record<string, unknown> = Object.fromEntries(members);
  const operator = String(node['op']);
  const listed = isOperator(operator) && ['list', 'pair'].includes(OPERATORS[operator].operand);
  return listed && namesClaim(node['value'])
    ? { ...node, value: [node['value'], node['value']] }
    : node;
}

function valueAt(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined,
    value,
  );
}

function roleError(role: string, path: readonly string[], roles: Roles): AccessSettingsError[] {
  if (Object.hasOwn(roles, role)) return [];
  return [
    {
      path,
      problem: `There is no role "${role}".`,
      remedy: `There are: ${Object.keys(roles).join(', ') || 'none'}.`,
    },
  ];
}

function repeatedTokenErrors(
  token: TokenSettings,
  earlier: readonly TokenSettings[],
  path: readonly string[],
): AccessSettingsError[] {
  const errors: AccessSettingsError[] = [];
  if (earlier.some(({ name }) => name === token.name)) {
    errors.push({
      path: [...path, 'name'],
      problem: `Another token is named "${token.name}".`,
      remedy: 'Choose another name.',
    });
  }
  if (earlier.some((one) => one.sha256 === token.sha256)) {
    errors.push({
      path: [...path, 'sha256'],
      problem: 'Another entry is for the same token.',
      remedy: 'Remove one of them.',
    });
  }
  return errors;
}
