import {
  API_PATHS,
  catalogueSchema,
  type ModelEntry,
  modelPath,
  modelSchema,
} from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError } from '../errors/errors.ts';
import { CATALOGUE_TAG } from '../http/catalogue-check.ts';
import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options/client-options.ts';
import { readBody } from '../http/body.ts';

export type ReadModel = (name: string, options?: RequestOptions) => Promise<ModelEntry>;

export type ReadModels = (options: RequestOptions) => Promise<readonly ModelEntry[]>;

export interface Catalogue {
  readonly models: readonly ModelEntry[];
  /** For the option `catalogueTag`; `null` where the service does not name its catalogue. */
  readonly tag: string | null;
}

export async function readCatalogue(
  transport: Transport,
  { signal }: RequestOptions,
): Promise<Catalogue> {
  const { body, headers } = await transport({ path: API_PATHS.models, signal });
  return { models: readBody(catalogueSchema, body).models, tag: headers.get(CATALOGUE_TAG) };
}

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
