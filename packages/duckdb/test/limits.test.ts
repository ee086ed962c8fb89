import { join } from 'node:path';

import { expect, it } from 'vitest';

import { execute, newFolder, open, pageOf } from './opened.ts';

const LIMITS = { memory: '123MiB', threads: 3, spill: '7MiB' };

/** As DuckDB writes the limits of a server, and what keeps it to its files. */
const EXPECTED = {
  memory_limit: '123.0 MiB',
  threads: '3',
  max_temp_directory_size: '7.0 MiB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  enable_external_access: 'false',
  lock_configuration: 'true',
};

it.each(['a database file', 'files'])(
  'reads %s with the limits of the settings, and without access to anything else',
  async (kind) => {
    const folder = newFolder();
    const [path, file, spillFolder] = ['lake.duckdb', 'one.parquet', 'spill'].map((name) =>
      join(folder, name),
    );
    const names = [...Object.keys(EXPECTED), 'temp_directory'];
    const shown = names.map((name) => `current_setting('${name}')::varchar as ${name}`);
    const models = { settings: { sql: `select 1 as id, ${shown.join(', ')}`, key: ['id'] } };
    await execute(['create table one (id int primary key)'], path);
    await execute([`copy (select 1 as id) to '${file}'`]);
    const files = { one: { files: file ?? '' } };
    const engine = await open(
      kind === 'files'
        ? { duckdb: { ...LIMITS, spillFolder, files }, models }
        : { duckdb: { ...LIMITS, spillFolder }, models, database: `duckdb:${path}` },
    );
    const asked = { query_model: 'settings', query_attributes: names };
    const { records } = await pageOf(engine, asked);
    expect(records).toEqual([{ ...EXPECTED, temp_directory: spillFolder }]);
  },
);
