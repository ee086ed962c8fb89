import { readFile, writeFile } from 'node:fs/promises';

import { SettingsError } from '@proj/engine';
import { parseDocument, stringify } from 'yaml';

import { tokenSettings } from '../settings/groups/tokens.ts';
import { isExpired, generateToken, sha256 } from '../access/tokens.ts';
import { type LoadedSettings, loadSettings, type SettingsInput } from '../settings/file/load.ts';
import { settingsPath } from '../settings/file/origins.ts';
import type { Settings } from '../settings/schema.ts';
import { UsageError } from '../settings/file/usage-error.ts';

export interface TokenOptions {
  readonly name: string;
  readonly role: string;
  /** In days, such as `90d`; default: never. */
  readonly expires?: string;
  readonly config?: string;
}

const DAY_MS = 86_400_000;

export async function createToken(
  { name, role, expires, config }: TokenOptions,
  env: SettingsInput['env'],
  now = new Date(),
): Promise<void> {
  const input = { flags: { config }, env };
  if (settingsPath(input) !== undefined) refuseUnknownRole(role, await loadSettings(input));
  const token = generateToken();
  const entry = {
    name,
    role,
    sha256: sha256(token),
    ...(expires !== undefined && { expires: dayOf(expires, now) }),
  };
  refuseInvalid(entry);
  const line = stringify([entry], { collectionStyle: 'flow', lineWidth: 0 }).trim();
  process.stdout.write(
    `${token}\n\nIt won't be shown again. Under tokens: ` +
      `in the settings file:\n  - ${line.slice(2, -2)}\n`,
  );
}

/** Lists the tokens of the settings, without anything secret. */
export function listTokens({ settings: { tokens } }: LoadedSettings, now = new Date()): void {
  for (const { name, role, expires } of tokens) {
    const state =
      expires === undefined
        ? 'never expires'
        : `${isExpired(expires, now) ? 'expired' : 'expires'} ${expires}`;
    process.stdout.write(`${name}\t${role}\t${state}\n`);
  }
}

/** Removes a token from the settings file, and leaves everything else as it is. */
export async function revokeToken(name: string, { path, settings }: LoadedSettings): Promise<void> {
  if (path === undefined)
    throw new SettingsError(
      'config: none is given. Pass --config with the file that lists the token.',
    );
  // As the file means it: a name may come from the environment.
  const index = settings.tokens.findIndex((token) => token.name === name);
  if (index < 0) throw new UsageError(`${path}: tokens: there is none named "${name}".`);
  const rest = withoutToken(await readFile(path, 'utf8'), index);
  if (rest === undefined)
    throw new UsageError(
      `${path}: tokens: aliases stand for a part of "${name}". Write out what they stand for, or ` +
        'remove the entry yourself.',
    );
  await writeFile(path, rest);
  process.stdout.write(`Revoked ${name}. A running server follows the file within a second.\n`);
}

/** Undefined where aliases would stand for nothing. */
function withoutToken(text: string, index: number): string | undefined {
  const document = parseDocument(text);
  try {
    document.deleteIn(['tokens', index]);
    return document.toString({ lineWidth: 0 });
  } catch {
    return undefined;
  }
}

function refuseInvalid(entry: object): void {
  const { error } = tokenSettings.safeParse(entry);
  if (error === undefined) return;
  const lines = error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`);
  throw new UsageError(lines.join('\n'));
}

function refuseUnknownRole(role: string, { roles }: Settings): void {
  if (Object.hasOwn(roles, role)) return;
  throw new UsageError(
    `--role: there is no role "${role}". There are: ${Object.keys(roles).join(', ') || 'none'}.`,
  );
}

function dayOf(expires: string, now: Date): string {
  const [, days] = /^(\d{1,5})d$/.exec(expires) ?? [];
  if (days === undefined)
    throw new UsageError(`--expires: expected a number of days, such as 90d; got ${expires}.`);
  return new Date(now.getTime() + Number(days) * DAY_MS).toISOString().slice(0, 10);
}
