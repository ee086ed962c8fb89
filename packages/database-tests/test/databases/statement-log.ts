/** What a server's log says of the statements that it ran. */
export interface LoggedStatements {
  /** Each shape once: with `?` for every value, and lists of values as one. */
  readonly shapes: ReadonlySet<string>;
  /** The names in quotes, outside of values. */
  readonly identifiers: ReadonlySet<string>;
}

/** How a database writes values and names. */
interface Notation {
  readonly text: RegExp;
  readonly identifier: RegExp;
}

/** Reads the log of PostgreSQL with `log_statement = all`. */
export function readPostgresLog(log: string): LoggedStatements {
  const entry =
    / LOG: {2}(?:statement|execute [^:]+): (.*?)(?=\n\d{4}-\d\d-\d\d [\d:.]+ \w+ \[|$(?![^]))/gs;
  return summarise(log, entry, {
    text: /\bE'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'/gs,
    identifier: /"((?:[^"]|"")*)"/g,
  });
}

/** Reads the general log of MariaDB or MySQL, in which an executed statement has its values. */
export function readGeneralLog(log: string): LoggedStatements {
  const begin = String.raw`(?:\d{6} [ \d]\d:\d\d:\d\d|\d{4}-[\d:.T-]+Z)?\t+ *\d+ `;
  const entry = new RegExp(
    String.raw`^${begin}(?:Query|Prepare|Execute)\t(.*?)(?=\n${begin}[A-Z]|\s*$(?![^]))`,
    'gms',
  );
  return summarise(log, entry, { text: /'(?:[^'\\]|\\.|'')*'/gs, identifier: /`((?:[^`]|``)*)`/g });
}

const NUMBER = /(?<![\w"`.])-?\d+(?:\.\d+)?(?![\w"`])/g;
const LIST = /(cast\(\? as binary\)|\?)(?:, \1)+/g;

/** What distinguishes one run of a statement from the others. */
const MARK = /\/\* [\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12} \*\//g;

function summarise(log: string, entry: RegExp, { text, identifier }: Notation): LoggedStatements {
  const shapes = [...log.matchAll(entry)].map(([, statement = '']) =>
    statement
      .replaceAll(text, '?')
      .replaceAll(MARK, ' ')
      .replaceAll(/\$\d+/g, '?')
      .replaceAll(NUMBER, '?')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(LIST, '$1')
      .trim(),
  );
  const names = shapes.flatMap((shape) =>
    [...shape.matchAll(identifier)].map(([, name = '']) => name),
  );
  return { shapes: new Set(shapes), identifiers: new Set(names) };
}
