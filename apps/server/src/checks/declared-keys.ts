import { MAX_ATTRIBUTES } from '@proj/contract';
import {
  type CatalogueReport,
  type Engine,
  EVERYTHING,
  type Model,
  QueryFailedError,
  type QueryFailure,
} from '@proj/engine';

import { type DatabaseSettings, nameInSettings } from '../settings/databases.ts';

type Declaring = Pick<DatabaseSettings, 'models' | 'prefix'>;

/** Models whose key the settings declare, which the database does not guarantee. */
export function modelsWithDeclaredKey(
  { catalogue }: Pick<Engine, 'catalogue'>,
  { models, prefix }: Declaring,
): Model[] {
  return [...catalogue.values()].filter((model) => {
    const name = nameInSettings(model.name, { prefix });
    return name !== undefined && Object.hasOwn(models, name) && models[name]?.key !== undefined;
  });
}

/** Reads each relation of a declared key as a whole, one after the other. */
export async function declaredKeyErrors(
  engine: Engine,
  settings: Declaring,
): Promise<CatalogueReport[]> {
  const errors: CatalogueReport[] = [];
  for (const model of modelsWithDeclaredKey(engine, settings)) {
    const place = ['models', nameInSettings(model.name, settings) ?? model.name];
    const found = await modelErrors(engine, model);
    errors.push(...found.map((one) => ({ ...one, path: [...place, ...one.path] })));
  }
  return errors;
}

async function modelErrors(engine: Engine, model: Model): Promise<CatalogueReport[]> {
  try {
    const unique = await engine.isKey(model);
    await readOneRecord(engine, model);
    return unique ? [] : [keyError(model)];
  } catch (error) {
    if (!(error instanceof QueryFailedError) || error.code === 'database_unavailable') throw error;
    return [readError(model, error)];
  }
}

/** Throws where an attribute of the first record cannot be read. */
async function readOneRecord(engine: Engine, { name, attributes }: Model): Promise<void> {
  const query_attributes = [...attributes.keys()].slice(0, MAX_ATTRIBUTES);
  await engine.query(
    { query_model: name, query_attributes, page: { page: 1, size: 1 } },
    EVERYTHING,
  );
}

function keyError({ name }: Model): CatalogueReport {
  return {
    model: name,
    path: ['key'],
    problem: 'The columns of the key are not unique together, or one of them is NULL somewhere.',
    remedy: 'Name other columns, or more of them.',
    listed: true,
  };
}

const READ_REMEDIES: Partial<Record<QueryFailure, string>> = {
  data_error: 'Change its definition so that it holds for all its data, or leave the model out.',
  query_timeout: 'Make it quicker, raise limits.query_timeout_ms, or leave the model out.',
};

function readError(
  { name }: Model,
  { code, message, databaseWords: words }: QueryFailedError,
): CatalogueReport {
  const reason = message.replace(/\.$/, '');
  return {
    model: name,
    path: [],
    problem: `It cannot be read (${words === undefined ? reason : `${reason}: ${words}`}).`,
    remedy:
      READ_REMEDIES[code] ??
      'Change its definition so that it only reads what is there, or leave the model out.',
    listed: true,
  };
}
