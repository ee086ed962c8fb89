import { type Rule } from '../../rule.ts';
import { demand, given } from '../../demand.ts';
import type { Subject } from '../../subject/subject.ts';

export const HIDDEN_NAME_RULES: readonly Rule[] = [
  {
    id: 'hidden-names',
    sentence:
      'A model or an attribute that the token may not see is answered as one that does not exist.',
    section: 'the-query',
    check: async (subject) => {
      const { hiddenModel, hiddenAttribute } = subject.selection;
      given(
        hiddenModel ?? hiddenAttribute,
        'name something hidden with --hidden-model or --hidden-attribute',
      );
      if (hiddenModel !== undefined)
        await answersAlike(subject, hiddenModel, (name) => ({ query_model: name }));
      if (hiddenAttribute !== undefined)
        await answersAlike(subject, hiddenAttribute, (name) => ({ query_attributes: [name] }));
    },
  },
];

/** The two replies may differ in the name itself, in the request id, and in nothing else. */
async function answersAlike(
  subject: Subject,
  hidden: string,
  request: (name: string) => object,
): Promise<void> {
  const absent = `${hidden.slice(0, -1)}${hidden.endsWith('x') ? 'y' : 'x'}`;
  const one = await subject.query(subject.body({ ...request(hidden) }));
  const other = await subject.query(subject.body({ ...request(absent) }));
  demand(
    one.status === other.status,
    `${hidden}: expected status ${other.status} as for ${absent}; got ${one.status}`,
  );
  const [seen, expected] = [neutral(one.text, hidden), neutral(other.text, absent)];
  demand(
    seen === expected,
    `${hidden}: expected the reply that ${absent} gets, ${expected.slice(0, 200)}; got ` +
      seen.slice(0, 200),
  );
}

function neutral(text: string, name: string): string {
  return text
    .replaceAll(name, '<name>')
    .replace(/"request_id":"[^"]*"/, '"request_id":""')
    .replace(/Did you mean[^?]*\?|,"did_you_mean":"[^"]*"/g, '');
}
