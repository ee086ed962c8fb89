import {
  type AttributeEntry,
  type DynamicQueryClient,
  type ModelEntry,
  ProblemError,
  type RequestOptions,
} from '@proj/client';
import {
  attributeAt,
  type LinkedModel,
  MAX_ATTRIBUTES,
  nameText,
  noAttributeText,
  printName,
} from '@proj/contract';

import { FailedError, UnknownAttributeError, UsageError } from '../failure.ts';
import { readNames } from '../terms.ts';

/** @throws {FailedError} when there is no such model, with what to do; and the client's errors. */
export async function lookUpModel(
  client: DynamicQueryClient,
  name: string,
  options: RequestOptions,
): Promise<ModelEntry> {
  try {
    return await client.model(name, options);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 404) throw error;
    const meant = await didYouMean('id', { client, model: name, ...options });
    throw new FailedError(
      `there is no model "${name}" here.${meant} See: dq models. If that fails too, check ` +
        'DYNAMIC_QUERY_URL (or --url).',
    );
  }
}

interface LookUpOptions extends RequestOptions {
  readonly texts: readonly (string | undefined)[];
  /** Whether related records are counted. */
  readonly isRelated?: boolean;
}

/** Also reads what paths and conditions on related records need. */
export async function lookUpLinkedModel(
  client: DynamicQueryClient,
  name: string,
  { texts, isRelated = false, ...options }: LookUpOptions,
): Promise<LinkedModel> {
  const model = await lookUpModel(client, name, options);
  const mayLeadOn = isRelated || texts.some((text) => /\.|some|none/i.test(text ?? ''));
  return mayLeadOn ? { ...model, others: await client.models(options) } : model;
}

/** @throws {UsageError} when the model does not have one of them, or they are too many */
export function chooseAttributes(list: string | undefined, model: LinkedModel): string[] {
  const known = model.attributes.map(({ name }) => name);
  const names = list === undefined ? known : readNames(list, '--attributes');
  const unknown = names.find((name) => attributeAt(name, model) === undefined);
  if (unknown !== undefined) {
    throw new UnknownAttributeError(unknown, `--attributes: ${noAttributeText(unknown, model)}`);
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new UsageError(`--attributes: "${repeated}" is named twice. Name each attribute once.`);
  }
  if (names.length > MAX_ATTRIBUTES) {
    throw new UsageError(
      list === undefined
        ? `${nameText(model.name)} has ${names.length} attributes, and a request takes at most ` +
            `${MAX_ATTRIBUTES}. Name those you need with --attributes.`
        : `--attributes: ${names.length} are named. Name at most ${MAX_ATTRIBUTES}.`,
    );
  }
  return names;
}

/** @throws {UsageError} when the model allows fewer records per page. */
export function chooseSize(size: number, { name, max_page_size: most }: ModelEntry): number {
  if (size <= most) return size;
  throw new UsageError(
    `--size: ${size} is more than the ${most} records that a page of ${nameText(name)} can have. ` +
      `Pass --size ${most} or less.`,
  );
}

export function entriesOf(names: readonly string[], model: LinkedModel): AttributeEntry[] {
  return names.flatMap((name) => attributeAt(name, model) ?? []);
}

export interface Lookup extends RequestOptions {
  readonly client: DynamicQueryClient;
  readonly model: string;
}

/** ` Did you mean "cities"?`, or nothing. Only the service knows close names, so it is asked. */
async function didYouMean(
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
