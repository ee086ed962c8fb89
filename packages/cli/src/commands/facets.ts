import type {
  BinFacet,
  FacetQuery,
  Facets,
  FacetsQuery,
  ValueFacet,
  WithRelated,
} from '@proj/client';
import { attributeAt, groupDigits, type LinkedModel, type RequestedRelated } from '@proj/contract';

import { suggesting } from '../service/model-lookup.ts';
import { readFacetArgument } from '../flags/facet-argument.ts';
import { type FilterFlags, filterOf } from '../filter-expression/filter-flags.ts';
import { asSent, cellText } from '../output/records.ts';
import { columnOf, putJson, putTable, wantsJson } from '../output/present.ts';
import { put, type Session } from '../terminal/terminal.ts';
import { askedModel, type RelatedFlags } from './asked-list.ts';

export interface FacetsFlags extends RelatedFlags, FilterFlags {
  readonly sort: 'count' | 'value';
  readonly json?: boolean;
}

/** Each facet is `attribute`, `attribute:values=20` or `…:bins=9`, and may end in ` where …`. */
export interface AskedFacets {
  readonly model: string;
  readonly facets: readonly string[];
}

export async function showFacets(
  { model: name, facets: texts }: AskedFacets,
  flags: FacetsFlags,
  session: Session,
): Promise<void> {
  const { terminal } = session;
  const { signal } = terminal;
  const named = { name, texts: [...texts, ...(flags.filter ?? [])] };
  const { client, model, related } = await askedModel(named, flags, session);
  const read = (): FacetsQuery & WithRelated<RequestedRelated> => {
    const filter = filterOf(flags, model);
    const facets = texts.map((text) => inOrder(readFacetArgument(text, model), flags));
    const others = { ...(filter && { filter }), ...(related && { related }) };
    return { model: name, facets, ...others };
  };
  const query = await suggesting(read, { client, model: name, signal });
  const reply = await client.facets(query, { signal });
  if (wantsJson(flags, terminal)) return putJson(terminal, wireReply(reply, model));
  for (const facet of reply.facets) await putFacet(facet, model, session);
  await put(terminal.stderr, `${groupDigits(reply.total)} records in all\n`);
}

/** Bins have an order of their own. */
function inOrder(facet: FacetQuery, { sort }: FacetsFlags): FacetQuery {
  return 'bins' in facet ? facet : { ...facet, sort };
}

/** As it travels: counts are strings of digits, and absent values are left out. */
function wireReply({ facets, total }: Facets, model: LinkedModel): string {
  const wired = facets.map((facet) => {
    const { attribute, nulls, min, max } = facet;
    const entry = attributeAt(attribute, model);
    const ends = entry?.sortable === false ? {} : { min, max };
    if (!('bins' in facet))
      return { attribute, values: facet.values, distinct: facet.distinct, nulls, ...ends };
    const { bins, others, sum, average } = facet;
    const sums = entry?.facets?.includes('sum') === false ? {} : { sum, average };
    return { attribute, bins, nulls, others, ...ends, ...sums };
  });
  return JSON.stringify({ facets: wired, total }, (_name, value) => asSent(value));
}

async function putFacet(
  facet: ValueFacet | BinFacet,
  model: LinkedModel,
  { terminal }: Session,
): Promise<void> {
  const entry = attributeAt(facet.attribute, model);
  const value =
    entry === undefined ? ({ title: facet.attribute, align: 'left' } as const) : columnOf(entry);
  const count = { title: 'records', align: 'right' } as const;
  const content =
    'bins' in facet
      ? {
          columns: [value, { ...value, title: 'to' }, count],
          rows: facet.bins.map((bin) => [bin.from, bin.to, groupDigits(bin.count)].map(cellText)),
        }
      : {
          columns: [value, count],
          rows: facet.values.map((one) => [one.value, groupDigits(one.count)].map(cellText)),
        };
  await putTable(terminal, content);
  await put(terminal.stderr, `${summaryOf(facet)}\n\n`);
}

/** `20 of 245 values; 3 without one` */
function summaryOf(facet: ValueFacet | BinFacet): string {
  const { nulls } = facet;
  const without = nulls === 0n ? [] : [`${groupDigits(nulls)} without one`];
  if (!('bins' in facet)) {
    const shown = BigInt(facet.values.length);
    const some = shown < facet.distinct ? `${groupDigits(shown)} of ` : '';
    return [`${some}${groupDigits(facet.distinct)} values`, ...without].join('; ');
  }
  const { others, sum, average } = facet;
  return [
    `${facet.bins.length} bins`,
    ...without,
    ...(others === 0n ? [] : [`${groupDigits(others)} in no bin`]),
    ...(sum === null ? [] : [`sum ${sum}, average ${average}`]),
  ].join('; ');
}
