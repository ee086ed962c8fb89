import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, parse, relative, resolve, sep } from 'node:path';

import { shellWord } from '@proj/contract';
import { readRelations, SettingsError } from '@proj/engine';

import { ownFile } from '../process/program-files.ts';
import { kindsWith } from '../settings/database-kinds.ts';
import { filesIn } from '../settings/file-lists.ts';
import type { SettingsInput } from '../settings/file/overrides.ts';
import { variableOf } from '../settings/file/sources.ts';
import { UsageError } from '../settings/file/usage-error.ts';
import { variablesOf } from '../settings/file/variables.ts';
import { type DraftedDatabase, settingsDraft } from './settings-draft.ts';

export interface DraftOptions {
  /** The URL of the database, or `name=url` of each of several. Default: of the environment. */
  readonly database?: readonly string[];
  /** A folder or pattern of Parquet, CSV and JSON files, for `duckdb:`. */
  readonly files?: string;
  /** A file, never overwritten, or `-` for standard output. */
  readonly output: string;
}

export interface Typed {
  readonly env: SettingsInput['env'];
  /** What the operator types before the arguments. */
  readonly started: string;
}

/** Writes a commented settings file, and a copy of its schema if no package has one nearby. */
export async function init(
  { database, files, output }: DraftOptions,
  { env, started }: Typed,
): Promise<void> {
  const databases = database ?? [variablesOf(env)(variableOf('database')) ?? []].flat();
  if (databases.length === 0) {
    throw new UsageError(
      'database: none is given. Pass --database sqlite:/path/to/your.db, or set DATABASE_URL.',
    );
  }
  const drafted = await readDatabases(databases, files);
  if (output === '-') {
    process.stdout.write(settingsDraft(drafted, installedSchema('.')));
    return;
  }
  const installed = installedSchema(dirname(output));
  const { dir, name } = parse(output);
  const copy = join(dir, `${name}.schema.json`);
  const schema = installed ?? `./${basename(copy)}`;
  await writeNew(output, settingsDraft(drafted, schema));
  if (installed === undefined) await writeFile(copy, ownFile(SCHEMA));
  const written = installed === undefined ? `${output}, and ${copy} for editors` : output;
  process.stdout.write(
    `Wrote ${written}. Look through it, then: ${started} check --config ${shellWord(output)}\n`,
  );
}

const NAMED_URL = /^([a-z]\w{0,31})=(.+)$/i;

async function readDatabases(
  texts: readonly string[],
  place: string | undefined,
): Promise<DraftedDatabase[]> {
  const named = texts.flatMap((text) => {
    const [, name, database] = NAMED_URL.exec(text) ?? [];
    return name === undefined || database === undefined ? [] : [{ name, database }];
  });
  const [database = ''] = texts;
  const isOne = named.length === 0 && texts.length === 1;
  if (!isOne && new Set(named.map(({ name }) => name)).size < texts.length)
    throw new UsageError(
      'database: each of several needs a name of its own, such as --database shop=sqlite:shop.db.',
    );
  const files = place === undefined ? undefined : filesIn(place);
  return Promise.all(
    (isOne ? [{ name: undefined, database }] : named).map(async (one) => ({
      ...one,
      files,
      relations: await readRelations(one.database, kindsWith({ files })),
    })),
  );
}

const SCHEMA = 'settings.schema.json';
const INSTALLED = join('node_modules', '@proj', 'server', SCHEMA);

/** Relative, with slashes on every system; undefined without one, as with `npx`. */
export function installedSchema(folder: string): string | undefined {
  let place = resolve(folder);
  while (!existsSync(join(place, INSTALLED))) {
    const above = dirname(place);
    if (above === place) return undefined;
    place = above;
  }
  const path = relative(folder, join(place, INSTALLED)).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
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
