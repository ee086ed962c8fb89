/** Something that occurs in few places alone. */
export interface Restriction {
  /** What it is, as a reader calls it. */
  readonly what: string;
  /** Modules whose import it is. */
  readonly modules?: RegExp;
  /** Code that it is: names, and texts between quotes; never comments. */
  readonly code?: RegExp;
  /** The folders that the rule is about. */
  readonly within: readonly string[];
  /** The files and folders among them where it may occur. */
  readonly places: readonly string[];
}

const ENGINE = 'packages/engine/src';
const DATABASES = ['sqlite', 'postgres', 'mysql', 'duckdb'].map((name) => `packages/${name}/src`);
const SERVER = 'apps/server/src';
const FASTIFY = ['fastify', 'plugin.ts'].map((name) => `packages/fastify/src/${name}`);

export const RESTRICTIONS: readonly Restriction[] = [
  {
    what: 'Kysely',
    modules: /^kysely/,
    within: ['packages', 'apps/server', 'apps/explorer'],
    places: [`${ENGINE}/sql`, `${ENGINE}/sources`, ...DATABASES],
  },
  {
    what: 'SQL',
    code: /\b(select\b.*\bfrom|(order|group) by|SELECT\b.*\bFROM|(ORDER|GROUP) BY)\b/s,
    within: ['packages/contract/src', ENGINE, SERVER],
    places: [`${ENGINE}/sql`, `${ENGINE}/sources`],
  },
  {
    what: 'the model behind the rows of a list',
    code: /\bplan\.(rows|model)$|\brows\.model$/,
    within: [ENGINE],
    places: [`${ENGINE}/planning`, `${ENGINE}/sql`],
  },
  {
    what: 'Fastify',
    modules: /^(fastify|@fastify\/.*|fastify-plugin)$/,
    within: ['packages', SERVER],
    places: [...FASTIFY, `${SERVER}/http`, `${SERVER}/app.ts`],
  },
  {
    what: 'the SDK of the Model Context Protocol',
    modules: /^@modelcontextprotocol\//,
    within: ['packages', SERVER],
    places: ['packages/mcp/src'],
  },
  {
    what: 'OpenTelemetry',
    modules: /^@opentelemetry\//,
    within: ['packages', SERVER],
    places: [`${SERVER}/traces`],
  },
  {
    what: 'the name of a database',
    code: /\b(sqlite|postgres|postgresql|mysql|mariadb)\b/i,
    within: [ENGINE, ...DATABASES],
    // Kysely's adapter, by its name; it never runs a statement.
    places: [...DATABASES, `${ENGINE}/sql/compile/compile.ts`],
  },
  {
    what: 'process.env',
    code: /^process\.env$/,
    within: [
      'packages/paging',
      'packages/contract',
      ENGINE,
      ...DATABASES,
      'packages/client',
      'packages/cli',
      'packages/conformance',
      'packages/grids',
      'packages/mcp',
      SERVER,
    ],
    places: [
      `${SERVER}/settings`,
      `${SERVER}/main.ts`,
      'packages/cli/src/terminal/run-process.ts',
      // It decides what of its environment a child process gets.
      'packages/sqlite/src/connection.ts',
      // It leaves one of Node's threads to others.
      'packages/duckdb/src/connection.ts',
    ],
  },
];
