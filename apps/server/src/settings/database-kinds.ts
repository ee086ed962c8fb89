import type { DuckdbSettings } from '@proj/duckdb';
import { type DatabaseKind, kindOf, SettingsError } from '@proj/engine';
import { mysql } from '@proj/mysql';
import { postgres } from '@proj/postgres';
import { sqlite } from '@proj/sqlite';

export const DATABASE_KINDS: readonly DatabaseKind[] = kindsWith({});

/** @param duckdb what files it shows, and what it may take */
export function kindsWith(duckdb: DuckdbSettings): readonly DatabaseKind[] {
  return [sqlite, postgres, mysql, optionalDuckdb(duckdb)];
}

/** Undefined where the URL names no known kind. */
export function databaseKind(url: string): DatabaseKind | undefined {
  return kindOf(url, DATABASE_KINDS);
}

/** Its package comes with a large library, and may be left out. */
function optionalDuckdb(settings: DuckdbSettings): DatabaseKind {
  return {
    schemes: ['duckdb'],
    example: 'duckdb:/data/lake.duckdb',
    open: async (url, terms) => {
      const loaded = await import('@proj/duckdb').catch((cause: unknown) => {
        throw new SettingsError(
          'database: DuckDB is not installed here. Add the package @proj/duckdb.',
          { cause },
        );
      });
      return loaded.duckdbWith(settings).open(url, terms);
    },
  };
}
