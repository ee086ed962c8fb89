import type { ReferenceEntry } from '@proj/contract';

import { NotTried, Violation } from '../demand.ts';
import { readCatalogue, selectionOf } from './select.ts';
import { Subject } from './subject.ts';

/** A reference of the catalogue: the model that has it, and the one to which it leads. */
export interface Relation {
  readonly reference: ReferenceEntry;
  readonly from: Subject;
  readonly to: Subject;
}

/** How many relations are looked at. */
const MOST_RELATIONS = 20;

/**
 * The references that suit, of models that have records, one after the other. Those of the chosen
 * model come first, then those that lead to it.
 */
export async function* relations(
  subject: Subject,
  suits: (reference: ReferenceEntry) => boolean,
): AsyncGenerator<Relation, void, void> {
  const entries = await readCatalogue(subject.send);
  const chosen = subject.selection.model;
  const subjects = new Map(
    entries.map((entry) => [
      entry.name,
      entry.name === chosen ? subject : new Subject(subject.send, selectionOf(entry.name, entry)),
    ]),
  );
  const found = entries.flatMap(({ name, references = [] }) =>
    references.filter(suits).flatMap((reference): Relation[] => {
      const [from, to] = [subjects.get(name), subjects.get(reference.model)];
      return from && to ? [{ reference, from, to }] : [];
    }),
  );
  const distance = ({ from, to }: Relation): number =>
    from === subject ? 0 : to === subject ? 1 : 2;
  const nearest = found.toSorted((one, other) => distance(one) - distance(other));
  for (const relation of nearest.slice(0, MOST_RELATIONS))
    if ((await hasRecords(relation.from)) && (await hasRecords(relation.to))) yield relation;
}

/** A model and what refers to its records. */
export interface InverseOccasion extends Relation {
  readonly inverse: string;
}

/** @throws {NotTried} without one */
export async function inverseOccasion(subject: Subject): Promise<InverseOccasion> {
  for await (const relation of relations(subject, ({ inverse }) => inverse !== undefined)) {
    const { inverse } = relation.reference;
    if (inverse !== undefined) return { ...relation, inverse };
  }
  throw new NotTried('no reference of the catalogue has an inverse');
}

/** Models other than the chosen one may be out of order, which is no matter of their relations. */
async function hasRecords(subject: Subject): Promise<boolean> {
  try {
    return (await subject.sample()).length > 0;
  } catch (error) {
    if (error instanceof Violation) return false;
    throw error;
  }
}
