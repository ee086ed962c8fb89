import * as z from 'zod/mini';

const RANGE = 'a whole number from 1 to 2^53 − 1, not in quotes';
const MEMBERS = 'an object such as {"page": 1, "size": 20}';

/** A longer text is cut in messages. */
const LONGEST_SHOWN = 40;

/**
 * The check of the minimum comes first and aborts the others, so that a number below −(2^53 − 1)
 * has one error, not two.
 */
function fromOne(member: string) {
  const error = ({ input }: { input?: unknown }): string => expected(RANGE, input, member);
  return z.number({ error }).check(z.minimum(1, { abort: true, error }), z.int({ error }));
}

/**
 * The `page` member of a request: JSON integers from 1 to 2^53 − 1. Strings, fractions, 0 and
 * negatives are errors; so are members that it does not name. Each issue has a message for callers.
 */
export const pageRequestSchema = z.strictObject(
  { page: fromOne('page'), size: fromOne('size') },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `expected page and size only; got ${issue.keys.map(shown).join(', ')} too`
        : expected(MEMBERS, issue.input),
  },
);

function expected(what: string, input: unknown, member?: string): string {
  const found = input === undefined ? 'it is missing' : `got ${shown(input)}`;
  return `${member === undefined ? '' : `${member}: `}expected ${what}; ${found}`;
}

function shown(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(
        value.length <= LONGEST_SHOWN ? value : `${value.slice(0, LONGEST_SHOWN)}…`,
      );
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'a list' : 'an object';
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return `a ${typeof value}`;
  }
}

const digits = z.string().check(z.regex(/^(0|[1-9][0-9]*)$/));

/** The `page` member of a reply: canonical decimal strings and `has_next`. */
export const pageMetadataSchema = z.object({
  page: digits,
  size: digits,
  total: digits,
  has_next: z.boolean(),
});
