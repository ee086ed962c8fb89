import { type DynamicQueryClient, ProblemError, type RequestOptions } from '@proj/client';

import { UnknownAttributeError } from '../failure.ts';

/** Where names are looked up. */
export interface Lookup extends RequestOptions {
  readonly client: DynamicQueryClient;
  readonly model: string;
}

/**
 * What the service says instead of a name that it does not have: ` Did you mean "cities"?`, or
 * nothing. Only the service decides which names are close, so it is asked for the name once more.
 */
export async function didYouMean(
  attribute: string,
  { client, model, signal }: Lookup,
): Promise<string> {
  try {
    await client.query({ model, attributes: [attribute], page: 1, size: 1 }, { signal });
  } catch (error) {
    if (!(error instanceof ProblemError)) return '';
    const meant = error.errors.find((one) => one.did_you_mean !== undefined)?.did_you_mean;
    return meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`;
  }
  return '';
}

/**
 * Does what reads names of attributes, and completes its complaint about one with what the service
 * says instead.
 *
 * @throws {UnknownAttributeError} and whatever else the work throws.
 */
export async function suggesting<Result>(work: () => Result, lookup: Lookup): Promise<Result> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnknownAttributeError)) throw error;
    throw error.with(await didYouMean(error.attribute, lookup));
  }
}
