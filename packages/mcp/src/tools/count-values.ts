import type { BinFacet, FacetQuery, Filter, Page, ValueFacet } from '@proj/client';
import {
  attributeAt,
  groupAttributes,
  groupDigits,
  type LinkedModel,
  nameText,
  printName,
  type RequestedGroups,
  type RequestedRelated,
} from '@proj/contract';
import * as z from 'zod';

import { ARGUMENTS, DEFAULT_TEXT, toolInput } from '../arguments/input.ts';
import { type Computed, readBy, readCompute } from '../arguments/read-groups.ts';
import { lookUpAsked, readFilter, readSort, textOf } from '../arguments/read-list.ts';
import { ToolError } from '../errors/explain.ts';
import { cutNote, pageResult, type ToolResult } from '../results/page-result.ts';
import { recordLine, shortenTexts, wholeOf, withDigits, wrapRecords } from '../results/records.ts';
import { tool, type ToolContext } from './tool.ts';

const INPUT = toolInput({
  model: ARGUMENTS.model,
  by: z
    .array(z.string())
    .optional()
    .describe(
      'What to group by: attributes, paths, or dates as placed_at.month (year, quarter, month, ' +
        'week, day, hour; placed_at.day@Europe/Paris in a zone). Without it: of all records.',
    ),
  compute: z
    .array(z.string())
    .optional()
    .describe(
      'Besides the count: sum(a), average(a), min(a), max(a), count_distinct(a), count(a) (not ' +
        'null). Results are named sum_a, distinct_a …',
    ),
  related: ARGUMENTS.related,
  filter: ARGUMENTS.filter,
  having: z.string().optional().describe('Which groups, such as: count > 10 and sum_a > 1000.'),
  sort: z.array(z.string()).optional().describe('By groups or results; ["count desc"] by default.'),
  page: ARGUMENTS.page,
  size: ARGUMENTS.size,
});

const REST = 'To read one whole, read a record that has it with query_records.';

/** How many records there are, of all or of each group, and what is computed of them. */
export const countValues = tool({
  name: 'count_values',
  description:
    'Counts records exactly, all together or by groups, with sums, averages, least and greatest ' +
    'values. Use it for every question of how many or how much.',
  input: INPUT,
  run: async (args, context) => {
    const texts = [...(args.by ?? []), ...(args.compute ?? []), textOf(args.filter)];
    const { model, related } = await lookUpAsked(args, texts, context);
    const place = { argument: 'filter', model, lookup: context };
    const filter = await readFilter(args.filter, place);
    const by = (args.by ?? []).map((text) => readBy(text, model));
    const computed = readCompute(args.compute ?? [], model, by);
    const isOfAll = by.length === 0;
    if (isOfAll && (args.having ?? '').trim() !== '')
      throw new ToolError('having: chooses groups, so it needs by. Use filter for records.');
    if (isOfAll) return computeAll({ model, related, filter, computed }, context);
    return countGroups({ args, by, model, related, filter, computed }, context);
  },
});

/** What is to be computed of a list. */
interface AskedCounts {
  readonly model: LinkedModel;
  readonly related: RequestedRelated | undefined;
  readonly filter: Filter | undefined;
  readonly computed: readonly Computed[];
}

interface AskedGroups extends AskedCounts {
  readonly args: z.output<typeof INPUT>;
  readonly by: RequestedGroups['by'];
}

async function countGroups(
  { args, by, model, related, filter, computed }: AskedGroups,
  context: ToolContext,
): Promise<ToolResult> {
  const aggregates = { count: { op: 'count' as const }, ...aggregatesOf(computed) };
  const attributes = groupAttributes({ by, aggregates }, model);
  const groups: LinkedModel = { ...model, name: 'the group', attributes, references: [] };
  const having = await readFilter(args.having, { argument: 'having', model: groups });
  const sort = readSort(args.sort) ?? [{ attribute: 'count', direction: 'desc' as const }];
  const asked = {
    model: model.name,
    by,
    aggregates,
    size: args.size,
    sort,
    ...(filter && { filter }),
    ...(having && { groupFilter: having }),
    ...(related && { related }),
  };
  const { signal } = context;
  const page = await context.client.groups(asked as never).page(args.page, { signal });
  return pageResult(page, {
    items: 'groups',
    title: `${nameText(model.name)} by ${(args.by ?? []).join(', ')}`,
    notes: [
      ...(args.sort === undefined ? ['Sorted by count, the largest first.'] : []),
      ...(attributes.slice(0, by.length).some(({ nullable }) => nullable)
        ? ['Records without a value are a group too, with null.']
        : []),
    ],
    texts: { from: 0, length: DEFAULT_TEXT, whole: wholeOf(attributes) },
    rest: REST,
    maxBytes: context.maxBytes,
    facts: { model: model.name },
  });
}

function aggregatesOf(computed: readonly Computed[]): RequestedGroups['aggregates'] {
  return Object.fromEntries(computed.map(({ name, op, attribute }) => [name, { op, attribute }]));
}

type AnyFacet = ValueFacet | BinFacet;

/** How many records a list has, and what is computed of all of them, from one state of the data. */
async function computeAll(asked: AskedCounts, context: ToolContext): Promise<ToolResult> {
  const { model, computed } = asked;
  const { total, dataVersion, facets } = await readAll(asked, context);
  const results = computed.map((one, index) => [one.name, resultOf(one, facets[index], total)]);
  const attributes = groupAttributes({ by: [], aggregates: aggregatesOf(computed) }, model);
  const texts = { from: 0, length: DEFAULT_TEXT, whole: wholeOf(attributes) };
  const { record, cut } = shortenTexts(Object.fromEntries(results), texts);
  const records = total === 1n ? 'record matches' : 'records match';
  const cutTexts = cut.map((one) => ({ record: 1, ...one }));
  const summary = [
    `${nameText(model.name)}: exactly ${groupDigits(total)} ${records}.`,
    ...(cut.length > 0 ? [cutNote(cutTexts, REST)] : []),
    ...(dataVersion === null ? [] : [`Data version: ${dataVersion}.`]),
  ].join(' ');
  const values = computed.length === 0 ? [] : [wrapRecords([recordLine(record)])];
  return {
    text: [summary, ...values].join('\n'),
    facts: {
      summary,
      model: model.name,
      count: String(total),
      version: dataVersion,
      ...(cut.length > 0 && { cut_texts: cutTexts }),
      ...(computed.length > 0 && { results: record }),
    },
  };
}

interface ReadAll extends Pick<Page<unknown>, 'total' | 'dataVersion'> {
  readonly facets: readonly AnyFacet[];
}

async function readAll(asked: AskedCounts, { client, signal }: ToolContext): Promise<ReadAll> {
  checkFacets(asked);
  const { model, related, filter, computed } = asked;
  const others = { ...(filter && { filter }), ...(related && { related }) };
  const list = { model: model.name, ...others };
  if (computed.length > 0)
    return client.facets({ ...list, facets: computed.map(facetOf) }, { signal });
  const attributes = [model.key[0] ?? model.attributes[0]?.name ?? ''];
  const page = await client.query({ ...list, attributes, page: 1, size: 1 }, { signal });
  return { ...page, facets: [] };
}

/** @throws {ToolError} where no facet has the result. */
function checkFacets({ computed, model }: AskedCounts): void {
  for (const { op, attribute } of computed) {
    const entry = attributeAt(attribute, model);
    if (entry?.facets?.length !== 0) continue;
    const other =
      op === 'count'
        ? `count the records with the filter "${printName(attribute)} is not null"`
        : 'pass by to have it of groups';
    throw new ToolError(
      `compute: ${nameText(attribute)} is of type ${entry.type}, which has no ${op} of all ` +
        `records together: ${other}.`,
    );
  }
}

/** The facet that has the result. */
function facetOf({ op, attribute }: Computed): FacetQuery {
  return op === 'sum' || op === 'average' ? { attribute, bins: 1 } : { attribute, values: 1 };
}

function resultOf({ op }: Computed, facet: AnyFacet | undefined, total: bigint): unknown {
  if (facet === undefined) return null;
  if (op === 'count') return String(total - facet.nulls);
  if (op === 'min' || op === 'max') return withDigits(facet[op]);
  if (op === 'count_distinct') return 'distinct' in facet ? String(facet.distinct) : null;
  return 'bins' in facet ? facet[op] : null;
}
