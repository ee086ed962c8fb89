import { versionScope } from '../../planning/list-rows.ts';
import type { FacetsRead, ReadCall, Reads } from '../../sources/source.ts';
import type { PreparedFacets } from '../../sql/prepared/facets-preparer.ts';
import { Digest } from '../digest.ts';
import { facetText } from './facet-texts.ts';
import type { Question, Reader } from '../reader.ts';
import type { Reply } from '../sharing/reply-cache.ts';
import { isTooLarge } from '../too-large.ts';

export interface FacetsQuestion extends Question {
  readonly prepared: PreparedFacets;
}

export interface FacetsReply extends Reply {
  readonly rows: number;
  readonly digest: Digest;
}

export type FacetsReader = Reader<FacetsQuestion, FacetsReply>;

export function facetsQuestion(prepared: PreparedFacets): FacetsQuestion {
  const { key, plan } = prepared;
  return { key, relations: versionScope(plan), session: plan.session, prepared };
}

const TOO_LARGE: FacetsRead = Object.freeze({
  facets: undefined,
  total: undefined,
  version: undefined,
});

export class FacetReader implements FacetsReader {
  readonly #source: Reads<'facets'>;

  constructor(source: Reads<'facets'>) {
    this.#source = source;
  }

  async read({ prepared }: FacetsQuestion, call: ReadCall): Promise<FacetsReply> {
    const started = performance.now();
    const asked = prepared.statements;
    const read = await this.#source.read({ kind: 'facets', asked }, call).catch(tooLarge);
    const json = textOf(prepared, read);
    return {
      json,
      rows: rowsOf(prepared, read),
      version: prepared.plan.facts.versioned ? read.version : undefined,
      digest: new Digest(prepared.namesKey, json ?? ''),
      milliseconds: { rows: performance.now() - started, count: 0 },
    };
  }
}

function tooLarge(error: unknown): FacetsRead {
  if (isTooLarge(error)) return TOO_LARGE;
  throw error;
}

function textOf(
  { plan, statements }: PreparedFacets,
  { facets, total }: FacetsRead,
): string | undefined {
  if (facets === undefined) return undefined;
  const texts: string[] = [];
  let counted = total;
  for (const [index, facet] of plan.facets.entries()) {
    const found = facets[index];
    if (found === undefined) throw new Error('A facet is missing from what was read.');
    if (facet.rows.condition === plan.counted.condition) counted ??= found.total;
    texts.push(facetText(facet, found));
  }
  const json = `{"facets":[${texts.join(',')}],"total":"${counted}"}`;
  return Buffer.byteLength(json) > statements.maxBytes ? undefined : json;
}

function rowsOf({ plan }: PreparedFacets, { facets = [] }: FacetsRead): number {
  return facets.reduce((sum, found, index) => {
    if (found.kind === 'bins') return sum + found.counts.length;
    return sum + Math.min(plan.facets[index]?.limit ?? 0, Number(found.distinct));
  }, 0);
}
