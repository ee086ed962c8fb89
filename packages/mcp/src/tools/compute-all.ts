import type { BinFacet, FacetQuery, Filter, ValueFacet } from '@proj/client';
import { groupDigits, nameText, type LinkedModel, type RequestedRelated } from '@proj/contract';

import type { Computed } from '../arguments/read-groups.ts';
import { wrapRecords, recordLine } from '../results/record-lines.ts';
import type { ToolResult } from '../results/page-result.ts';
import { withDigits } from '../results/short-texts.ts';
import type { ToolContext } from './tool.ts';

/** What is to be computed of all records of a list. */
interface AskedOfAll {
  readonly model: LinkedModel;
  readonly related: RequestedRelated | undefined;
  readonly filter: Filter | undefined;
  readonly computed: readonly Computed[];
}

type AnyFacet = ValueFacet | BinFacet;

/** How many records a list has, and what is computed of all of them, from one state of the data. */
export async function computeAll(asked: AskedOfAll, context: ToolContext): Promise<ToolResult> {
  const { model, computed } = asked;
  const { total, dataVersion, facets } = await readAll(asked, context);
  const results = Object.fromEntries(
    computed.map((one, index) => [one.name, resultOf(one, facets[index], total)]),
  );
  const records = total === 1n ? 'record matches' : 'records match';
  const version = dataVersion === null ? '' : ` Data version: ${dataVersion}.`;
  const summary = `${nameText(model.name)}: exactly ${groupDigits(total)} ${records}.${version}`;
  const values = computed.length === 0 ? [] : [wrapRecords([recordLine(results)])];
  return {
    text: [summary, ...values].join('\n'),
    facts: {
      summary,
      model: model.name,
      count: String(total),
      version: dataVersion,
      ...(computed.length > 0 && { results }),
    },
  };
}

interface ReadAll {
  readonly total: bigint;
  readonly dataVersion: string | null;
  readonly facets: readonly AnyFacet[];
}

async function readAll({ model, related, filter, computed }: AskedOfAll, context: ToolContext) {
  const { client, signal } = context;
  const others = { ...(filter && { filter }), ...(related && { related }) };
  const list = { model: model.name, ...others };
  if (computed.length === 0) {
    const attributes = [model.key[0] ?? model.attributes[0]?.name ?? ''];
    const page = await client.query({ ...list, attributes, page: 1, size: 1 }, { signal });
    return { total: page.total, dataVersion: page.dataVersion, facets: [] } satisfies ReadAll;
  }
  const facets = computed.map(facetOf);
  return (await client.facets({ ...list, facets }, { signal })) as ReadAll;
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
