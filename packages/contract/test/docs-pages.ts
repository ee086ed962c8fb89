import { type ProblemKind, PROBLEMS, WIRE_TYPES } from '../src/index.ts';
import { FAULT_CODES } from './fault-codes.ts';

/** `docs/problems.md`: every code of the table, by status. */
export function problemsPage(): string {
  const problems: [code: string, kind: ProblemKind][] = Object.entries(PROBLEMS);
  const statuses = new Set(problems.map(([, { status }]) => status));
  const sections = Array.from(statuses, (status) => {
    const entries = problems.filter(([, kind]) => kind.status === status).map(problemEntry);
    return [`## Status ${status}`, ...entries].join('\n\n');
  });
  return `${[problemsIntroduction, ...sections].join('\n\n')}\n`;
}

/** `docs/types.md`: every wire type of the table. */
export function typesPage(): string {
  const rows = Object.entries(WIRE_TYPES).map(([type, { json, example, note }]) => [`\`${type}\``, json, `\`${example}\``, note]);
  return `${[typesIntroduction, table(['Type', 'JSON', 'Example', 'Note'], rows)].join('\n\n')}\n`;
}

const problemsIntroduction = `# Problems

Every error is a problem document (RFC 9457) of type \`application/problem+json\`. Programs read \`code\`, which never changes its
meaning; \`title\` and \`detail\` are for people. \`type\` is a page of the service that says what stands here. The \`request_id\` finds
the request in the operator's log.

\`\`\`json
{
  "type": "/problems/size_too_large",
  "title": "${PROBLEMS.size_too_large.title}",
  "status": ${PROBLEMS.size_too_large.status},
  "detail": "/page/size: this model answers at most 1000 elements per page.",
  "code": "size_too_large",
  "request_id": "0b6f3a52",
  "errors": [
    {
      "pointer": "/page/size",
      "code": "size_too_large",
      "detail": "/page/size: this model answers at most 1000 elements per page.",
      "maximum": 1000
    }
  ]
}
\`\`\`

\`errors\` lists every fault of a request body with its place, a JSON pointer (RFC 6901). Codes that it may carry are marked below.`;

const typesIntroduction = `# Types on the wire

The catalogue gives every attribute one of these types. Every database sends the same JSON for the same value, and no value loses
a digit. SQL NULL is \`null\` in each of them.`;

function problemEntry([code, { title, meaning, remedy }]: [code: string, kind: ProblemKind]): string {
  const mark = Object.hasOwn(FAULT_CODES, code) ? ' Stands in `errors`.' : '';
  return [`### \`${code}\``, `**${title}.** ${meaning}${mark}`, `What to do: ${remedy}`].join('\n\n');
}

/** A table as the formatter leaves it: columns as wide as their widest cell. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [head, rule, ...rows].map(line).join('\n');
}
