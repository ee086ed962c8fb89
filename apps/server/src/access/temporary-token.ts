import { SettingsError } from '@proj/engine';

import type { Settings } from '../settings/schema.ts';
import { isLoopback } from '../settings/secrecy.ts';
import { variableOf } from '../settings/file/sources.ts';
import { generateToken } from './tokens.ts';

/**
 * A token for trying the service out on a loopback address, where the settings have no token;
 * undefined where they do.
 *
 * @throws {SettingsError} when other machines can reach the service and no token is set
 */
export function temporaryTokenFor(settings: Settings): string | undefined {
  const { host, token, tokens, jwt } = settings;
  if (token !== undefined || tokens.length > 0 || jwt.length > 0) return undefined;
  if (isLoopback(host)) return generateToken();
  throw new SettingsError(
    `host: ${host} can be reached from other machines, and no token is set. ` +
      `Set ${variableOf('token')}, or listen on 127.0.0.1.`,
  );
}
