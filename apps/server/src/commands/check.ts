import { MAX_ATTRIBUTES } from '@proj/contract';
import {
  type CatalogueReport,
  type Engine,
  EVERYTHING,
  type Model,
  openEngine,
  QueryFailedError,
  type QueryFailure,
  SettingsError,
} from '@proj/engine';

import { accessFaults } from '../access/check-roles.ts';
import { engineSettings } from '../settings/engine-settings.ts';
import type { LoadedSettings } from '../settings/load.ts';
import { reportLines } from './report-lines.ts';

/** `dynamic-query check`: holds the settings against the database and names every fault with its place and a remedy. */
export async function check({ settings, place }: LoadedSettings): Promise<void> {
  const engine = await openEngine(engineSettings(settings));
  try {
    const faults = [
      ...engine.reports.filter((report) => report.listed),
      ...(await declaredKeyFaults(engine, settings)),
      ...accessFaults(settings, engine.catalogue),
    ];
    if (faults.length > 0) throw new SettingsError(reportLines(faults, place).join('\n'));
    for (const line of reportLines(engine.reports, place)) process.stdout.write(`left out: ${line}\n`);
    for (const warning of await engine.warnings()) process.stdout.write(`warning: ${warning}\n`);
    process.stdout.write(`No fault. Models: ${[...engine.catalogue.keys()].join(', ')}\n`);
  } finally {
    await engine.close();
  }
}

/** What is wrong with declared keys and with the models that have them, for neither of which the database makes a promise. */
async function declaredKeyFaults(engine: Engine, { models }: LoadedSettings['settings']): Promise<CatalogueReport[]> {
  const faults: CatalogueReport[] = [];
  for (const model of engine.catalogue.values()) {
    const declared = Object.hasOwn(models, model.name) && models[model.name]?.key !== undefined;
    if (declared) faults.push(...(await modelFaults(engine, model)));
  }
  return faults;
}

async function modelFaults(engine: Engine, model: Model): Promise<CatalogueReport[]> {
  try {
    const unique = await engine.isKey(model);
    await readOneRecord(engine, model);
    return unique ? [] : [keyFault(model)];
  } catch (error) {
    if (!(error instanceof QueryFailedError) || error.code === 'database_unavailable') throw error;
    return [readFault(model, error)];
  }
}

/** Shows whether all that the model shows can be read, as far as its first record tells. */
async function readOneRecord(engine: Engine, { name, attributes }: Model): Promise<void> {
  const query_attributes = [...attributes.keys()].slice(0, MAX_ATTRIBUTES);
  await engine.query({ query_model: name, query_attributes, page: { page: 1, size: 1 } }, EVERYTHING);
}

function keyFault({ name }: Model): CatalogueReport {
  return {
    model: name,
    path: ['models', name, 'key'],
    problem: 'The columns of the key are not unique together, or one of them is NULL somewhere.',
    remedy: 'Name other columns, or more of them.',
    listed: true,
  };
}

/** What an operator does about a model that cannot be read, by what kept it from being read. */
const READ_REMEDIES: Partial<Record<QueryFailure, string>> = {
  data_error: 'Change its definition so that it holds for all its data, or leave the model out.',
  query_timeout: 'Make it quicker, raise limits.query_timeout_ms, or leave the model out.',
};

function readFault({ name }: Model, { code, message }: QueryFailedError): CatalogueReport {
  return {
    model: name,
    path: ['models', name],
    problem: `It cannot be read (${message.replace(/\.$/, '')}).`,
    remedy: READ_REMEDIES[code] ?? 'Change its definition so that it only reads what is there, or leave the model out.',
    listed: true,
  };
}
