import { type DynamicQueryClient, ProblemError, type RequestOptions } from '@proj/client';
import { type LinkedModel, printName } from '@proj/contract';

/** Where models and names are looked up. */
export interface Lookup extends RequestOptions {
  readonly client: DynamicQueryClient;
}

/** What may lead to other models. */
interface Leading {
  readonly texts?: readonly (string | undefined)[];
  readonly isRelated?: boolean;
}

/**
 * The model of this name, with those that its paths and its related records lead to, where
 * arguments may name any.
 *
 * @throws {ProblemError} when there is none, with the name that may be meant; and the other errors
 *   of the client.
 */
export async function lookUpLinkedModel(
  name: string,
  { texts = [], isRelated = false }: Leading,
  lookup: Lookup,
): Promise<LinkedModel> {
  const { client, signal } = lookup;
  const model = await client.model(name, { signal }).catch(async (error: unknown) => {
    if (error instanceof ProblemError && error.status === 404)
      await readNothing(name, 'id', lookup);
    throw error;
  });
  const mayLeadOn = isRelated || texts.some((text) => /\.|some|none/i.test(text ?? ''));
  return mayLeadOn ? { ...model, others: await client.models({ signal }) } : model;
}

/**
 * What may be meant by a name that a model does not have, as filters take it, as in
 * ` Did you mean name?`; nothing where no name is close, which only the service decides.
 */
export async function didYouMean(
  attribute: string,
  { model, lookup }: { readonly model: string; readonly lookup: Lookup },
): Promise<string> {
  try {
    await readNothing(model, attribute, lookup);
    return '';
  } catch (error) {
    const { errors = [] } = error instanceof ProblemError ? error : {};
    const [meant] = errors.flatMap((one) => one.did_you_mean ?? []);
    return meant === undefined ? '' : ` Did you mean ${printName(meant)}?`;
  }
}

/** Asks the service for a name that it does not have. */
async function readNothing(
  model: string,
  attribute: string,
  { client, signal }: Lookup,
): Promise<void> {
  await client.query({ model, attributes: [attribute], page: 1, size: 1 }, { signal });
}
