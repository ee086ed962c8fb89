import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SettingsError } from '@proj/engine';
import { onTestFinished } from 'vitest';

import { loadSettings, type SettingsInput } from '../src/settings/file/load.ts';

/** Writes a settings file, or one of another name beside none, that goes with the test. */
export function settingsFile(text: string, name = 'settings.yaml'): string {
  const directory = mkdtempSync(join(tmpdir(), 'dynamic-query-settings-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
}

/** The message with which settings are refused. */
export async function errorOf(input: SettingsInput): Promise<string> {
  const error: unknown = await loadSettings(input).catch((reason: unknown) => reason);
  if (!(error instanceof SettingsError))
    throw new Error('The settings were taken.', { cause: error });
  return error.message;
}
