import { type DynamicQueryClient, ProblemError, type RequestOptions } from '@proj/client';
import { printName } from '@proj/contract';

import { UnknownAttributeError } from '../failure.ts';

export interface Lookup extends RequestOptions {
  readonly client: DynamicQueryClient;
  readonly model: string;
}

/** ` Did you mean "cities"?`, or nothing. Only the service knows close names, so it is asked. */
export async function didYouMean(
  attribute: string,
  { client, model, signal }: Lookup,
  print: (name: string) => string = JSON.stringify,
): Promise<string> {
  try {
    await client.query({ model, attributes: [attribute], page: 1, size: 1 }, { signal });
  } catch (error) {
    if (!(error instanceof ProblemError)) return '';
    const meant = error.errors.find((one) => one.did_you_mean !== undefined)?.did_you_mean;
    return meant === undefined ? '' : ` Did you mean ${print(meant)}?`;
  }
  return '';
}

/** Adds the service's suggestion to an {@link UnknownAttributeError} of the work. */
export async function suggesting<Result>(work: () => Result, lookup: Lookup): Promise<Result> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnknownAttributeError)) throw error;
    throw error.with(await didYouMean(error.attribute, lookup, printName));
  }
}
