import type { DynamicQueryClient, Filter, ModelEntry } from '@proj/client';

import { exactRecord } from '../values/exact-record.ts';
import { textOf } from '../values/cell-text.ts';
import { conditionFilter } from '../state/view-query.ts';
import { type Bin, type Bins, hasRanges, nullBin, rangeBins, valueBins } from './bins.ts';

/** What to make a picture of. */
export interface DistributionRequest {
  readonly model: ModelEntry;
  readonly attribute: ModelEntry['attributes'][number];
  /** The filter of the view. */
  readonly filter: Filter | undefined;
  /** The attribute's values on the shown page, as JSON texts. */
  readonly cells: readonly string[];
  readonly signal: AbortSignal;
}

/** A bar with its count. */
export interface CountedBin extends Bin {
  readonly count: bigint;
}

/**
 * The counts behind a picture. Each was a request of its own: if the data changes during the count,
 * they can disagree.
 */
export interface Distribution {
  readonly bars: readonly CountedBin[];
  /** Records in no bar: the total less the bars; 0 where the bars have all. */
  readonly others: bigint;
  readonly total: bigint;
  /** How the bars were chosen, in words. */
  readonly chosen: string;
  /** How many requests it took. */
  readonly requests: number;
}

/**
 * Counts the records of each bar by reading pages of one record, one after the other: at most
 * 14 requests.
 */
export async function countBins(
  client: DynamicQueryClient,
  request: DistributionRequest,
): Promise<Distribution> {
  let requests = 0;
  const { attribute, signal } = request;
  const read = async (conditions: Bin['conditions'], direction?: 'asc' | 'desc') => {
    requests += 1;
    return client.query(queryOf(request, conditions, direction), { signal });
  };
  const { total } = await read([]);
  const { bins, chosen } = await chooseBins(request, async (direction) => {
    const { records } = await read(
      [{ attribute: attribute.name, operator: 'not_null', operands: [] }],
      direction,
    );
    return records
      .map(exactRecord)
      .flatMap((record) => record[attribute.name] ?? [])
      .map(textOf)[0];
  });
  const bars: CountedBin[] = [];
  for (const bin of attribute.nullable ? [...bins, nullBin(attribute)] : bins) {
    bars.push({ ...bin, count: (await read(bin.conditions)).total });
  }
  const counted = bars.reduce((sum, { count }) => sum + count, 0n);
  return { bars, others: total > counted ? total - counted : 0n, total, chosen, requests };
}

/** One record, for the total of those that meet the conditions, or for the first by its value. */
function queryOf(
  { model, attribute, filter }: DistributionRequest,
  conditions: Bin['conditions'],
  direction?: 'asc' | 'desc',
) {
  const leaves = conditions.map((condition) => conditionFilter(condition, model));
  const combined = allOf([...(filter ? [filter] : []), ...leaves]);
  return {
    model: model.name,
    attributes: [attribute.name],
    page: 1,
    size: 1,
    ...(direction && { sort: [{ attribute: attribute.name, direction }] }),
    ...(combined && { filter: combined }),
  };
}

async function chooseBins(
  { attribute, cells }: DistributionRequest,
  extreme: (direction: 'asc' | 'desc') => Promise<string | undefined>,
): Promise<Bins> {
  if (!hasRanges(attribute)) return valueBins(attribute, cells);
  const smallest = await extreme('asc');
  const largest = await extreme('desc');
  if (smallest === undefined || largest === undefined)
    return { bins: [], chosen: 'There is no value to make ranges of.' };
  return rangeBins(attribute, { smallest, largest });
}

/**
 * One filter that holds where all of them hold; a group of `and` is opened, since a filter may not
 * be deep.
 */
function allOf(filters: readonly Filter[]): Filter | undefined {
  const parts = filters.flatMap((filter) => ('and' in filter ? filter.and : [filter]));
  return parts.length < 2 ? parts[0] : { and: parts };
}
