import type { DatabaseKind } from '@proj/engine/database';

import type { DuckdbLimits } from './data.ts';
import type { FilesSettings } from './files.ts';

export type { FilesSettings };

export interface DuckdbSettings extends DuckdbLimits {
  /** By the name of the list; for `duckdb:` without a path. */
  readonly files?: Readonly<Record<string, FilesSettings>> | undefined;
}

/** DuckDB: `duckdb:/path/to/lake.duckdb`, or `duckdb:` for files of lists. */
export function duckdbWith({ files = {}, ...limits }: DuckdbSettings): DatabaseKind {
  return {
    schemes: ['duckdb'],
    example: 'duckdb:/data/lake.duckdb',
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
