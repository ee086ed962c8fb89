import { writeFile } from 'node:fs/promises';

import { readRelations, SettingsError } from '@proj/engine';

import { settingsDraft } from './settings-draft.ts';

/** The options of `dynamic-query init`. */
export interface InitOptions {
  /** URL of the database to look at. */
  readonly database: string | undefined;
  /** The file to write, or `-` for standard output. An existing file is never overwritten. */
  readonly output: string;
}

/** `dynamic-query init`: writes a commented settings file from what the database holds. */
export async function init({ database, output }: InitOptions): Promise<void> {
  if (database === undefined) {
    throw new SettingsError(
      'database: none is given. Pass --database sqlite:/path/to/your.db, or set DATABASE_URL.',
    );
  }
  const relations = await readRelations(database);
  const draft = settingsDraft(relations, database);
  if (output === '-') {
    process.stdout.write(draft);
    return;
  }
  await writeNew(output, draft);
  process.stdout.write(
    `Wrote ${output}. Look through it, then: dynamic-query check --config ${output}\n`,
  );
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const reason = exists
      ? 'it exists already'
      : error instanceof Error
        ? error.message
        : String(error);
    throw new SettingsError(
      `output: ${path} is not written: ${reason}. ` +
        'Choose another with --output, or - for standard output.',
    );
  }
}
