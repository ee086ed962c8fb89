import {
  type DynamicQueryClient,
  type ModelEntry,
  ProblemError,
  type RequestOptions,
} from '@proj/client';
import type { LinkedModel } from '@proj/contract';

/** Where models and names are looked up. */
export interface Lookup extends RequestOptions {
  readonly client: DynamicQueryClient;
}

/**
 * The model of this name.
 *
 * @throws {ProblemError} when there is none, with the name that may be meant; and the other errors
 *   of the client.
 */
async function lookUpModel(name: string, lookup: Lookup): Promise<ModelEntry> {
  const { client, signal } = lookup;
  try {
    return await client.model(name, { signal });
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404)
      await readNothing(name, 'id', lookup);
    throw error;
  }
}

/**
 * The same with the models that its paths and its related records lead to, where arguments may name
 * any.
 *
 * @throws as {@link lookUpModel}
 */
export async function lookUpLinkedModel(
  name: string,
  texts: readonly (string | undefined)[],
  lookup: Lookup,
): Promise<LinkedModel> {
  const model = await lookUpModel(name, lookup);
  const mayLeadOn = texts.some((text) => /\.|some|none/i.test(text ?? ''));
  if (!mayLeadOn) return model;
  return { ...model, others: await lookup.client.models({ signal: lookup.signal }) };
}

/** Asks the service for a name that it does not have. */
async function readNothing(
  model: string,
  attribute: string,
  { client, signal }: Lookup,
): Promise<void> {
  await client.query({ model, attributes: [attribute], page: 1, size: 1 }, { signal });
}
