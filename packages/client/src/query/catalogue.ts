import {
  API_PATHS,
  catalogueSchema,
  type ModelEntry,
  modelPath,
  modelSchema,
} from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError } from '../errors/invalid-reply-error.ts';
import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options/request-options.ts';
import { readBody } from './read-body.ts';

/** Reads one model by its name. */
export type ReadModel = (name: string, options?: RequestOptions) => Promise<ModelEntry>;

/** Reads the models that the token may see. */
export async function readModels(
  transport: Transport,
  { signal }: RequestOptions,
): Promise<readonly ModelEntry[]> {
  const { body } = await transport({ path: API_PATHS.models, signal });
  return readBody(catalogueSchema, body).models;
}

/** Reads one model. */
export async function readModel(
  transport: Transport,
  name: string,
  { signal }: RequestOptions,
): Promise<ModelEntry> {
  const { body } = await transport({ path: modelPath(name), signal });
  const model = readBody(modelSchema, body);
  if (model.name === name) return model;
  throw new InvalidReplyError({
    pointer: '/name',
    expected: describeValue(name),
    got: describeValue(model.name),
  });
}
