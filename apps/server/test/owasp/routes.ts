import type { FastifyInstance } from 'fastify';

/**
 * The paths that the app has a route for. Fastify prints them as a tree, four columns for each
 * level.
 */
export function registeredPaths(app: FastifyInstance): string[] {
  const above: string[] = [];
  const paths = new Set<string>();
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods] = /^(.*[├└]── )(\S+)( \()?/.exec(line) ?? [];
    const level = indent.length / 4;
    if (level === 0) continue;
    const path = above.slice(0, level - 1).join('') + part;
    above.splice(level - 1, above.length, part);
    if (methods !== undefined) paths.add(path);
  }
  return [...paths].toSorted();
}
