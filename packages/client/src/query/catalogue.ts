import { catalogueSchema, modelSchema, type ModelEntry } from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError } from '../errors/invalid-reply-error.ts';
import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options/request-options.ts';
import { readBody } from './read-body.ts';

const MODELS_PATH = 'api/v1/dynamic/models';

/** Reads one model by its name. */
export type ReadModel = (name: string, options?: RequestOptions) => Promise<ModelEntry>;

/** Reads the models that the token may see. */
export async function readModels(
  transport: Transport,
  { signal }: RequestOptions,
): Promise<readonly ModelEntry[]> {
  const { body } = await transport({ path: MODELS_PATH, signal });
  return readBody(catalogueSchema, body).models;
}

/** Reads one model. */
export async function readModel(
  transport: Transport,
  name: string,
  { signal }: RequestOptions,
): Promise<ModelEntry> {
  const path = `${MODELS_PATH}/${encodeURIComponent(name)}`;
  const { body } = await transport({ path, signal });
  const model = readBody(modelSchema, body);
  if (model.name === name) return model;
  throw new InvalidReplyError({
    pointer: '/name',
    expected: describeValue(name),
    got: describeValue(model.name),
  });
}
