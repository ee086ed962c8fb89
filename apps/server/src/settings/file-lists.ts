import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { FilesSettings } from '@proj/duckdb';
import { SettingsError } from '@proj/engine';

import type { DatabaseSettings } from './databases.ts';

export type FileLists = Readonly<Record<string, FilesSettings>>;

const ENDINGS = /\.(parquet|csv|tsv|jsonl|ndjson|json)(\.gz|\.zst)?$/i;

/** The files of models, and those that the setting `files` names. */
export function fileListsIn({
  files,
  models,
}: Pick<DatabaseSettings, 'files' | 'models'>): FileLists {
  const own = Object.entries(models).flatMap(([name, { files: pattern, key, source = name }]) =>
    pattern === undefined ? [] : [[source, { files: pattern, numbersRows: key === 'rows' }]],
  );
  return { ...(files !== undefined && filesIn(files)), ...Object.fromEntries(own) };
}

/**
 * Each file is a list of its own, and so is each folder of a folder that has files of one format.
 *
 * @param place a folder, or a pattern such as `data/*.parquet`
 * @throws {SettingsError} where no such file is there
 */
export function filesIn(place: string): FileLists {
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  const [folder, wanted] = isFolder ? [place, '*'] : [join(place, '..'), basename(place)];
  const expression = new RegExp(
    `^${wanted
      .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );
  const lists = entriesOf(folder).flatMap((name): [string, FilesSettings][] => {
    if (!expression.test(name) || /^[._]/.test(name)) return [];
    const path = join(folder, name);
    if (!statSync(path).isDirectory())
      return ENDINGS.test(name) ? [[name.replace(ENDINGS, ''), listOf(path)]] : [];
    const [ending] = ENDINGS.exec(firstFile(path) ?? '') ?? [];
    return ending === undefined ? [] : [[name, listOf(join(path, '**', `*${ending}`))]];
  });
  if (lists.length === 0)
    throw new SettingsError(
      `files: no Parquet, CSV or JSON files are at ${place}. Name a folder or a pattern such as ` +
        "'./data/*.parquet'.",
    );
  return Object.fromEntries(lists);
}

function listOf(files: string): FilesSettings {
  return { files, numbersRows: true };
}

function firstFile(folder: string): string | undefined {
  const names = entriesOf(folder).filter((name) => !/^[._]/.test(name));
  const file = names.find((name) => ENDINGS.test(name));
  const next = names.find((name) => statSync(join(folder, name)).isDirectory());
  return file ?? (next === undefined ? undefined : firstFile(join(folder, next)));
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
