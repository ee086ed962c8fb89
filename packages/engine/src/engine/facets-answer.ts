import type { FacetsAnswer } from '../engine-types.ts';
import type { FacetsReply } from '../reading/facets/facet-reader.ts';
import type { PreparedFacets } from '../sql/prepared/facets-preparer.ts';
import { TAG_LETTERS } from './answer.ts';

/** Facets that were read, and what it took. */
export interface ReadFacets extends Pick<FacetsAnswer, 'json' | 'version'> {
  readonly state: FacetsAnswer['state'] | undefined;
  readonly reply: FacetsReply;
  /** How long planning took, in milliseconds. */
  readonly planMs: number;
}

/** The answer to a request whose facets were read. */
export function buildFacetsAnswer({ plan }: PreparedFacets, read: ReadFacets): FacetsAnswer {
  const { json, reply, planMs, version, state } = read;
  const attributes = plan.facets.map(({ attribute }) => attribute);
  const names = [...new Set(attributes.map(({ name }) => name))];
  const deprecated = new Set([plan.facts, ...attributes]);
  return {
    json,
    tag: () => reply.digest.text.slice(0, TAG_LETTERS),
    version,
    milliseconds: { plan: planMs, ...reply.milliseconds },
    facts: { model: plan.name, attributes: names, rows: reply.rows },
    deprecations: [...deprecated].flatMap((one) => one.deprecated ?? []),
    ...(state !== undefined && { state }),
  };
}
