import type { Attribute } from '../catalogue/model.ts';
import type { FacetsAnswer } from '../engine-types.ts';
import { type FacetsReply, facetsQuestion } from '../reading/facets/facet-reader.ts';
import { facetsTooLarge } from '../reply-limit.ts';
import type { PreparedFacets } from '../sql/prepared/facets-preparer.ts';
import { type AnswerBase, type AnswerKind, TAG_LETTERS } from './answer-kind.ts';

type OwnAnswer = Omit<FacetsAnswer, keyof AnswerBase>;

export const FACETS: AnswerKind<PreparedFacets, FacetsReply, OwnAnswer> = {
  prepare: ({ facetsPreparer }, { body, grant }) => facetsPreparer.prepare(body, grant),
  asked: (prepared) => ({ ...prepared.plan, attributes: attributesOf(prepared) }),
  question: (prepared) => {
    const question = facetsQuestion(prepared);
    return {
      question,
      mayScan: (reading) => reading.mayScanFacets(question),
      read: ({ facets }, call) => facets.read(question, call),
    };
  },
  answer: (prepared, { json, digest, rows }, maxBytes) => {
    if (json === undefined) throw facetsTooLarge(maxBytes);
    const attributes = attributesOf(prepared).map(({ name }) => name);
    const { name: model, models } = prepared.plan;
    return {
      json,
      tag: () => digest.text.slice(0, TAG_LETTERS),
      facts: { model, models: models.map(({ name }) => name), attributes, rows },
    };
  },
};

function attributesOf({ plan }: PreparedFacets): Attribute[] {
  return [...new Set(plan.facets.map(({ attribute }) => attribute))];
}
