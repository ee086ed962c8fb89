import type { Answer, Received } from '../../../cli/test/service/answer.ts';
import { instead } from '../tampering.ts';
import type { Variant } from './variant.ts';

interface Counted {
  readonly count: string;
}

interface Facet {
  readonly values?: readonly Counted[];
  readonly bins?: readonly Counted[];
}

const areFacets = ({ path }: Received, { status }: Answer): boolean =>
  path.endsWith('/facets') && status === 200;

function onFacets(change: (facet: Facet) => Facet) {
  return instead(areFacets, (answer) => {
    const { facets, total } = answer.body as { facets: readonly Facet[]; total: string };
    return { ...answer, body: { facets: facets.map(change), total } };
  });
}

/** The same sum, in other places. */
function moved(counts: readonly Counted[] = []): Counted[] {
  return counts.map((one, index) => {
    const more = index === 0 ? 1n : index === counts.length - 1 ? -1n : 0n;
    return { ...one, count: String(BigInt(one.count) + more) };
  });
}

function codeOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

/** Servers whose facets are not as the contract says. */
export const WRONG_FACETS: Readonly<Record<string, Variant>> = {
  'counts a record with another value than it has': {
    behaviour: {
      after: onFacets((facet) =>
        facet.values ? { ...facet, values: moved(facet.values) } : facet,
      ),
    },
    breaks: ['facet-values'],
  },
  'counts a record in another bin than it is in': {
    behaviour: {
      after: onFacets((facet) => (facet.bins ? { ...facet, bins: moved(facet.bins) } : facet)),
    },
    breaks: ['facet-bins'],
  },
  'finds no bins of texts without saying so': {
    behaviour: {
      after: instead(
        ({ path }, { body }) => path.endsWith('/facets') && codeOf(body) === 'not_facetable',
        (answer) => ({ ...answer, status: 200, body: { facets: [], total: '42' } }),
      ),
    },
    breaks: ['facet-types'],
  },
  'answers a request for no facets': {
    behaviour: {
      after: (answer, { path, body }) =>
        path.endsWith('/facets') && body.includes('"query_facets":[]')
          ? { status: 200, headers: {}, body: { facets: [], total: '42' } }
          : answer,
    },
    breaks: ['facet-errors'],
  },
};
