import { stat } from 'node:fs/promises';

import { shellWord } from '@proj/contract';
import { SettingsError } from '@proj/engine';

import type { LoadedSettings } from './file/load.ts';

/** Shorter tokens can be guessed; in characters. */
const SHORTEST_TOKEN = 16;

/** Whether only this machine can reach the service. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1)$/.test(host);
}

/**
 * Refuses tokens that can be guessed and secrets that others can read; on a loopback address only
 * warns of weak tokens.
 *
 * @param host where the service listens
 * @returns warnings
 * @throws {SettingsError} when a token can be guessed, or others can read a file with a secret.
 */
export async function checkSecrecy(
  loaded: LoadedSettings,
  host = loaded.settings.host,
): Promise<string[]> {
  const { settings, path, fileHoldsSecret } = loaded;
  const { token } = settings;
  if (path !== undefined && fileHoldsSecret && (await othersCanRead(path))) {
    throw new SettingsError(
      `${path}: it holds a secret, and every user of this machine can read it. Run: ` +
        `chmod o-r ${shellWord(path)}`,
    );
  }
  if (token === undefined || token.length >= SHORTEST_TOKEN) return [];
  const weak =
    `token: it can be guessed. Use at least ${SHORTEST_TOKEN} random characters, such as: ` +
    'openssl rand -hex 32';
  if (!isLoopback(host)) throw new SettingsError(weak);
  return [weak];
}

/** Windows has other permissions, which the mode does not show. */
async function othersCanRead(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  return process.platform !== 'win32' && (mode & 0o004) !== 0;
}
