import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Settings } from '../../settings/schema.ts';

/** The folder of the explorer, where the settings want it and it is built. */
export function findExplorer({ explorer }: Pick<Settings, 'explorer'>): string | undefined {
  const directory = installedExplorer();
  return explorer && existsSync(directory) ? directory : undefined;
}

/** Queries need no page, so that one which is not built is worth a warning only. */
export function explorerWarnings(settings: Pick<Settings, 'explorer'>): string[] {
  if (!settings.explorer || findExplorer(settings) !== undefined) return [];
  return [`explorer: it is not built, so that / shows nothing (${installedExplorer()}).`];
}

/** Where the explorer that is installed with the server is. */
function installedExplorer(): string {
  return fileURLToPath(new URL('dist', import.meta.resolve('@proj/explorer/package.json')));
}
