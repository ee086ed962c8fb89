const BUILT_IN = 'pg_catalog';

/** A name in the text of a list of names, quoted or not. */
const NAME = /"(?:[^"]|"")*"|[^\s,"]+/g;

/**
 * The search path under which functions and operators of PostgreSQL mean what they are named for:
 * they are looked up first where the path does not name their schema. Undefined where the path is
 * one already.
 */
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
