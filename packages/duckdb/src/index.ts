import type { DatabaseKind } from '@proj/engine/database';

import type { DuckdbLimits } from './data.ts';

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
      const { openData } = await import('./data.ts');
      const data = openData(url.replace(/^duckdb:(\/\/)?/i, ''), files, limits);
      await data.current();
      const { DuckdbSource } = await import('./source.ts');
      return new DuckdbSource(data, settings);
    },
  };
}

export const duckdb: DatabaseKind = duckdbWith({});
