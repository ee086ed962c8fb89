import type { Reads } from '../../sources/source.ts';
import type { Acceleration } from '../acceleration.ts';
import { FacetReader, type FacetsReader, type FacetsReply } from './facet-reader.ts';
import { shareAnswers, type SharingParts } from '../sharing/share-answers.ts';

interface FacetsChainParts extends SharingParts<FacetsReply> {
  readonly source: Reads<'facets'>;
}

/** The links between a question for facets and the database. */
export function composeFacetsChain(settings: Acceleration, parts: FacetsChainParts): FacetsReader {
  return shareAnswers(settings, parts, new FacetReader(parts.source));
}
