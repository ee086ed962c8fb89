import {
  FILTER_LIMITS,
  MAX_SORT_TERMS,
  type OperandKind,
  OPERATORS,
  type ProblemKind,
  PROBLEMS,
  WIRE_TYPES,
} from '../src/index.ts';
import { REQUEST_ERROR_CODES } from './request-error-codes.ts';
import { table } from './markdown-table.ts';

/** `docs/reference/problems.md`: every code of the table, by status. */
export function problemsPage(): string {
  const problems: [code: string, kind: ProblemKind][] = Object.entries(PROBLEMS);
  const statuses = new Set(problems.map(([, { status }]) => status));
  const sections = Array.from(statuses, (status) => {
    const entries = problems.filter(([, kind]) => kind.status === status).map(problemEntry);
    return [`## Status ${status}`, ...entries].join('\n\n');
  });
  return `${[problemsIntroduction, ...sections].join('\n\n')}\n`;
}

/** `docs/reference/types.md`: every wire type of the table. */
export function typesPage(): string {
  const rows = Object.entries(WIRE_TYPES).map(([type, { json, example, note }]) => [
    `\`${type}\``,
    json,
    `\`${example}\``,
    note,
  ]);
  return `${[typesIntroduction, table(['Type', 'JSON', 'Example', 'Note'], rows)].join('\n\n')}\n`;
}

/** `docs/reference/operators.md`: every filter operator of the table. */
export function operatorsPage(): string {
  const rows = Object.entries(OPERATORS).map(([name, { operand, meaning, types }]) => [
    `\`${name}\``,
    OPERANDS[operand],
    meaning,
    types.length === Object.keys(WIRE_TYPES).length
      ? 'every type'
      : types.map((type) => `\`${type}\``).join(', '),
  ]);
  return `${[operatorsIntroduction, table(['Operator', 'Value', 'Keeps records whose attribute is', 'Attributes of type'], rows), sorting].join('\n\n')}\n`;
}

const OPERANDS: Record<OperandKind, string> = {
  value: 'one value',
  value_or_null: 'one value, or `null`',
  list: 'an array of values',
  pair: 'an array of two values',
  day: 'a date, and `time_zone`',
  truth: '`true`, `false` or none',
};

const operatorsIntroduction = `# Filters and sorting

\`query_filter\` is a tree: \`{"and": [...]}\`, \`{"or": [...]}\`, \`{"not": ...}\`, or a comparison:

\`\`\`json
{ "attribute": "population", "op": "gte", "value": 1000000 }
\`\`\`

It is at most ${FILTER_LIMITS.depth} deep, with at most ${FILTER_LIMITS.leaves} comparisons and ${FILTER_LIMITS.values} listed values in all. Values have the form of replies; whole numbers
may also be JSON numbers up to 2^53 − 1. Every value is checked against the attribute's type before any SQL is made.
On SQLite, \`eq\`, \`ne\`, \`in\`, \`not_in\` and \`is_distinct\` take any text for a date, since rows may hold [dates that are none](../databases.md#dates-of-sqlite).
You can filter and sort by attributes that you don't request, but not by those that your token cannot see.

\`on\` takes a day: \`{ "attribute": "placed_at", "op": "on", "value": "2024-03-31", "time_zone": "Europe/Paris" }\`. The service works out
when that day began and ended there, with the zone data of Node, so that it is the same on every database; an index on the attribute serves it.

SQL's three-valued logic applies on every database: a comparison with NULL is neither true nor false, and \`not\` does not change that.
Texts are compared byte for byte; operators that begin with \`i\` ignore case, on PostgreSQL by the column's collation:
under \`C\` and \`POSIX\` that of A to Z alone. Less and greater follow the column's collation.

\`has\`, \`has_any\` and \`has_all\` look into arrays of any dimension. Their values have the type of the elements (\`items\`); for JSON they
are strings, numbers, \`true\`, \`false\` or \`{"number": "9007199254740993"}\`. Numbers are compared by value: 1 is 1.0. JSON that is no array
holds nothing, and NULL among the elements is no value. On PostgreSQL a GIN index serves them: of \`array_ops\` for arrays, of any class for \`jsonb\`.

A condition on related records is true or false, never unknown:

\`\`\`json
{ "related": "orders", "some": { "attribute": "status", "op": "eq", "value": "open" } }
\`\`\`

\`related\` is an \`inverse\` in the catalogue. \`some\` keeps records with at least one such order that the token may see, \`none\` those without;
\`{}\` means any order. At most ${FILTER_LIMITS.related} of them may be nested, and what they hold counts towards the limits.`;

const sorting = `\`query_sort\` is a list of at most ${MAX_SORT_TERMS} terms, \`{"attribute": "population", "direction": "desc", "nulls": "last"}\`. \`direction\` is \`asc\`
by default. NULL is the largest value unless \`nulls\` says otherwise. The model's default order follows, then always its key, so
no two records tie.`;

const problemsIntroduction = `# Problems

Every error is a problem document (RFC 9457) of type \`application/problem+json\`. Check \`code\`, whose meaning
never changes; \`title\` and \`detail\` are for people. \`type\` is a page of the service with the same text. The \`request_id\` finds
the request in the operator's log.

\`\`\`json
{
  "type": "/problems/size_too_large",
  "title": "${PROBLEMS.size_too_large.title}",
  "status": ${PROBLEMS.size_too_large.status},
  "detail": "/page/size: this model answers at most 1000 records per page.",
  "code": "size_too_large",
  "request_id": "0b6f3a52",
  "errors": [
    {
      "pointer": "/page/size",
      "code": "size_too_large",
      "detail": "/page/size: this model answers at most 1000 records per page.",
      "maximum": 1000
    }
  ]
}
\`\`\`

\`errors\` lists every error of a request body with its place, a JSON pointer (RFC 6901). Codes that it may carry are marked below.`;

const typesIntroduction = `# Types on the wire

The catalogue gives every attribute one of these types. Every database sends the same JSON for the same value, and no value loses
a digit. NULL is \`null\`. A filter takes every value in the form of a reply.`;

function problemEntry([code, { title, meaning, remedy }]: [
  code: string,
  kind: ProblemKind,
]): string {
  const mark = Object.hasOwn(REQUEST_ERROR_CODES, code) ? ' It can be in `errors`.' : '';
  return [`### \`${code}\``, `**${title}.** ${meaning}${mark}`, `What to do: ${remedy}`].join(
    '\n\n',
  );
}
