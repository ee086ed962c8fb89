import { stat } from 'node:fs/promises';

import { type DatabaseKind, SettingsError } from '@proj/engine/database';

import type { Data, DuckdbLimits } from './data.ts';

/** Files that are served as a list. */
export interface FilesSettings {
  /** A path, in which `*`, `?` and the folder `**` stand for others: `/data/trips/*.parquet`. */
  readonly files: string;
  /** Whether rows have their number as the attribute `row`, which is their key. Default: false. */
  readonly numbersRows?: boolean | undefined;
}

export interface DuckdbSettings extends DuckdbLimits {
  /** By the name of the list; for `duckdb:` without a path. */
  readonly files?: Readonly<Record<string, FilesSettings>> | undefined;
}

/** DuckDB: `duckdb:/path/to/lake.duckdb`, or `duckdb:` for files of lists. */
export function duckdbWith({ files = {}, ...limits }: DuckdbSettings): DatabaseKind {
  return {
    schemes: ['duckdb'],
    example: 'duckdb:/data/lake.duckdb',
    isServer: false,
    canFollow: false,
    canReplicate: false,
    hasSessions: false,
    open: async (url, settings) => {
      const path = url.replace(/^duckdb:(\/\/)?/i, '');
      const lists = Object.entries(files);
      if (path !== '' && lists.length > 0) {
        throw new SettingsError(
          'files: only `duckdb:` without a path reads files of lists. Give them a database of ' +
            'their own.',
        );
      }
      if (path === '' && lists.length === 0) {
        throw new SettingsError(
          'database: give the path of a DuckDB file, such as duckdb:/data/lake.duckdb, or ' +
            '`files` to at least one model.',
        );
      }
      const data = path === '' ? await openLists(files, limits) : await openFile(path, limits);
      await data.current();
      const { DuckdbSource } = await import('./source.ts');
      return new DuckdbSource(data, settings);
    },
  };
}

export const duckdb: DatabaseKind = duckdbWith({});

async function openFile(path: string, limits: DuckdbLimits): Promise<Data> {
  const file = await stat(path).catch(() => undefined);
  if (file?.isFile() !== true) {
    throw new SettingsError(
      `database: no file is at ${path}. Give the path of a DuckDB file: duckdb:/data/lake.duckdb.`,
    );
  }
  const { DatabaseFile } = await import('./data.ts');
  return new DatabaseFile(path, limits);
}

async function openLists(
  files: NonNullable<DuckdbSettings['files']>,
  limits: DuckdbLimits,
): Promise<Data> {
  const { ListFiles } = await import('./data.ts');
  const { readPattern } = await import('./files.ts');
  const lists = Object.entries(files).map(([name, { files: pattern, numbersRows = false }]) => {
    return { name, pattern: readPattern(pattern), numbersRows };
  });
  return new ListFiles(lists, limits);
}
