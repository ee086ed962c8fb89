import type { PageTotal, Page } from '@proj/client';
import {
  attributeAt,
  type LinkedModel,
  MAX_ATTRIBUTES,
  nameText,
  type RequestedRelated,
} from '@proj/contract';
import * as z from 'zod';

import { ARGUMENTS, toolInput } from '../arguments/input.ts';
import {
  lookUpAsked,
  readFilter,
  readSort,
  textOf,
  type WrittenFilter,
} from '../arguments/read-list.ts';
import type { Lookup } from '../model-lookup.ts';
import { pageResult } from '../results/page-result.ts';
import { type AnyRecord, wholeOf } from '../results/records.ts';
import { tool } from './tool.ts';

/** One page of a model's records. */
export const queryRecords = tool({
  name: 'query_records',
  description:
    'Reads one page of the records of a model. The result says which records these are of ' +
    'exactly how many, and the next page. To count or sum up, use count_values.',
  input: toolInput({
    model: ARGUMENTS.model,
    attributes: ARGUMENTS.attributes,
    related: ARGUMENTS.related,
    filter: ARGUMENTS.filter,
    sort: ARGUMENTS.sort,
    page: ARGUMENTS.page,
    size: ARGUMENTS.size,
    total: z
      .enum(['exact', 'none'])
      .default('exact')
      .describe('"none" does not count the list, where that takes too long.'),
    max_text: ARGUMENTS.max_text,
    text_from: ARGUMENTS.text_from,
  }),
  run: async (args, context) => {
    const { page: number, size, total, max_text: length, text_from: from } = args;
    const { list, notes, whole } = await readList(args, context);
    const page: Page<AnyRecord, PageTotal> = await context.client.query(
      { ...list, page: number, size, total },
      { signal: context.signal },
    );
    return pageResult(page, {
      items: 'records',
      title: nameText(args.model),
      notes,
      texts: { from, length, whole },
      maxBytes: context.maxBytes,
      facts: { model: args.model },
    });
  },
});

/** The arguments that name a list. */
interface ListArguments {
  readonly model: string;
  readonly attributes?: readonly string[] | undefined;
  readonly related?: readonly string[] | undefined;
  readonly filter?: WrittenFilter | undefined;
  readonly sort?: readonly string[] | undefined;
}

/** A list as the client takes it, and what has to be said of it. */
interface ReadList {
  readonly model: LinkedModel;
  readonly list: {
    readonly model: string;
    readonly attributes: readonly string[];
    readonly filter?: NonNullable<Awaited<ReturnType<typeof readFilter>>>;
    readonly sort?: NonNullable<ReturnType<typeof readSort>>;
    readonly related?: RequestedRelated;
  };
  readonly notes: readonly string[];
  readonly whole: ReadonlySet<string>;
}

/**
 * Reads the arguments that name a list.
 *
 * @throws {ToolError | DynamicQueryError} when they name none.
 */
export async function readList(args: ListArguments, lookup: Lookup): Promise<ReadList> {
  const texts = [...(args.attributes ?? []), textOf(args.filter)];
  const { model, related } = await lookUpAsked(args, texts, lookup);
  const filter = await readFilter(args.filter, { argument: 'filter', model, lookup });
  const sort = readSort(args.sort);
  const all = model.attributes.map(({ name }) => name);
  const attributes = args.attributes ?? all.slice(0, MAX_ATTRIBUTES);
  const left = args.attributes === undefined ? all.length - attributes.length : 0;
  return {
    model,
    list: {
      model: args.model,
      attributes,
      ...(filter && { filter }),
      ...(sort && { sort }),
      ...(related && { related }),
    },
    whole: wholeOf(attributes.flatMap((name) => attributeAt(name, model) ?? [])),
    notes: left > 0 ? [`${left} attributes are left out: name those that you need.`] : [],
  };
}
