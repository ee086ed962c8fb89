/** Two places with the same lines. Lines are numbered from 1. */
export interface DuplicatedPair {
  readonly first: Place;
  readonly second: Place;
  /** Equal lines; those that do not count are left out. */
  readonly lines: number;
}

interface Place {
  readonly path: string;
  readonly line: number;
}

interface CodeLine extends Place {
  readonly text: string;
}

/** As many equal lines make a pair. */
const MIN_LINES = 6;

/** Blank lines, comments, imports and lone punctuation repeat without being a repetition. */
const PASSED_OVER = /^$|^(\/\/|\/\*|\*)|^import\b|\bfrom '[^']+';$|^[^\p{L}\p{N}]+$/u;

/** The pairs of places that share six or more equal lines; white space around them is ignored. */
export function duplicatedPairs(
  files: readonly { readonly path: string; readonly text: string }[],
): DuplicatedPair[] {
  return runsByText(files.map(codeLines)).flatMap((runs) =>
    runs.flatMap((first, position) =>
      runs.slice(position + 1).flatMap((second) => pairOf(first, second) ?? []),
    ),
  );
}

/** Lines of one file from a place on; `before` is the line in front of it. */
interface Run {
  readonly before: string | undefined;
  readonly lines: readonly CodeLine[];
}

function codeLines({ path, text }: { path: string; text: string }): CodeLine[] {
  return text
    .split('\n')
    .map((line, index) => ({ path, line: index + 1, text: line.trim() }))
    .filter((line) => !PASSED_OVER.test(line.text));
}

/** The runs that begin with the same {@link MIN_LINES} lines, where there is more than one. */
function runsByText(code: readonly CodeLine[][]): Run[][] {
  const runs = code.flatMap((lines) =>
    lines.slice(MIN_LINES - 1).map((_last, index) => ({
      before: lines[index - 1]?.text,
      lines: lines.slice(index),
    })),
  );
  const byText = Map.groupBy(runs, ({ lines }) => textOf(lines.slice(0, MIN_LINES)));
  return [...byText.values()].filter(({ length }) => length > 1);
}

/** The whole of what two runs share; undefined where it began a line before. */
function pairOf(first: Run, second: Run): DuplicatedPair | undefined {
  if (first.before !== undefined && first.before === second.before) return undefined;
  const [begin] = first.lines;
  const [again] = second.lines;
  if (begin === undefined || again === undefined) return undefined;
  const end = first.lines.findIndex(({ text }, index) => second.lines[index]?.text !== text);
  return {
    first: { path: begin.path, line: begin.line },
    second: { path: again.path, line: again.line },
    lines: end === -1 ? first.lines.length : end,
  };
}

function textOf(lines: readonly CodeLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}
