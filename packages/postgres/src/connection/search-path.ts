const BUILT_IN = 'pg_catalog';

const NAME = /"(?:[^"]|"")*"|[^\s,"]+/g;

/** Looks functions and operators up in PostgreSQL's own schema first; undefined for safe paths. */
export function saferSearchPath(path: string): string | undefined {
  const names = path.match(NAME) ?? [];
  const others = names.filter((name) => !isBuiltIn(name));
  const [first] = names;
  if (first === undefined || isBuiltIn(first) || others.length === names.length) return undefined;
  return others.map((name) => (name.startsWith('"') ? name : `"${name.toLowerCase()}"`)).join(', ');
}

function isBuiltIn(name: string): boolean {
  return name === `"${BUILT_IN}"` || name.toLowerCase() === BUILT_IN;
}
