import type { Subject } from './subject.ts';

/** Sends a query with a filter, whatever it is. */
export async function filtered(subject: Subject, filter: unknown) {
  return subject.query(subject.body({ query_filter: filter }));
}

/** A comparison that any attribute takes. */
export const leaf = ({ selection }: Subject) => ({
  attribute: selection.attributes[0],
  op: 'is_null',
  value: false,
});
