import {
  type AccessSettingsError,
  type KnownModels,
  roleErrors,
  type Roles,
} from '@proj/fastify/settings';

import type { JwtSettings } from '../settings/groups/jwt.ts';
import type { TokenSettings } from '../settings/groups/tokens.ts';
import { sha256 } from './tokens.ts';

export interface AccessSettings {
  readonly roles: Roles;
  readonly token?: string | undefined;
  readonly tokens: readonly TokenSettings[];
  readonly jwt: readonly JwtSettings[];
}

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

/** An admin token that is also listed in `tokens` would give its holder every right. */
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
