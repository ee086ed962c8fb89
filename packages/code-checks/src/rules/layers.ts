/**
 * The parts of a folder in the order of their imports: each imports only those above it. Parts on
 * one line do not import each other. Files of the folder that are not listed come before all parts
 * and import none of them.
 */
export interface Layers {
  readonly folder: string;
  readonly parts: readonly (readonly string[])[];
}

export const LAYERS: readonly Layers[] = [
  {
    folder: '',
    parts: [
      ['packages/paging'],
      ['packages/contract'],
      ['packages/engine', 'packages/client'],
      ['packages/cli', 'packages/grids', 'apps/explorer'],
      ['packages/conformance'],
      ['apps/server'],
      ['apps/demo', 'apps/bench'],
    ],
  },
  {
    folder: 'packages/engine/src',
    parts: [
      ['catalogue'],
      ['planning'],
      ['sql'],
      ['sources'],
      ['reading'],
      ['engine-types.ts'],
      ['engine'],
      ['engine.ts'],
      ['index.ts'],
    ],
  },
  {
    folder: 'packages/engine/src/catalogue',
    parts: [['build'], ['refresh.ts']],
  },
  {
    folder: 'packages/engine/src/sql',
    parts: [
      ['clauses'],
      ['query-statements.ts'],
      ['facet-statements.ts', 'nearer-end.ts'],
      ['compile'],
      ['record-statements.ts', 'key-check.ts'],
      ['prepared'],
    ],
  },
  {
    folder: 'packages/engine/src/engine',
    parts: [
      ['replicas'],
      ['served-catalogue.ts'],
      ['replicated-reads.ts'],
      ['answer-kind.ts'],
      ['deprecations.ts'],
      ['answer.ts', 'facets-answer.ts', 'exported-list.ts'],
      ['watches'],
      ['source-engine.ts'],
    ],
  },
  {
    folder: 'packages/engine/src/reading',
    parts: [
      ['records', 'sharing'],
      ['unchanged'],
      ['followed'],
      ['facets', 'bounded-reader.ts', 'record-reader.ts', 'scan-forecast.ts'],
      ['chain.ts'],
      ['reading.ts'],
    ],
  },
  {
    folder: 'packages/engine/src/sources',
    parts: [
      ['reads', 'text'],
      ['facets', 'following'],
      ['read.ts'],
      ['source.ts'],
      ['pools'],
      ['sqlite', 'postgres', 'mysql'],
      ['open-source.ts'],
    ],
  },
  {
    folder: 'packages/engine/src/sources/postgres',
    parts: [
      ['values'],
      ['connection'],
      ['versions'],
      ['feed', 'introspection'],
      ['reads'],
      ['replicas', 'facets', 'warnings.ts'],
      ['dialect.ts', 'reads.ts'],
      ['source.ts'],
    ],
  },
  {
    folder: 'packages/engine/src/sources/postgres/feed',
    parts: [['protocol'], ['changes'], ['setup'], ['relations'], ['lists'], ['session']],
  },
  {
    folder: 'packages/engine/src/sources/mysql',
    parts: [
      ['connection'],
      ['versions'],
      ['values'],
      ['introspection', 'replicas'],
      ['database.ts', 'warnings.ts'],
      ['reads'],
      ['facets'],
      ['dialect.ts'],
      ['source.ts'],
    ],
  },
  {
    folder: 'packages/engine/src/sources/sqlite',
    parts: [
      ['connection', 'values'],
      ['versions'],
      ['connection.ts'],
      ['introspection', 'database.ts'],
      ['reads'],
      ['facets'],
      ['dialect.ts', 'own-reads.ts'],
      ['stored-forms.ts', 'reader-process.ts'],
      ['near-keys.ts'],
      ['source.ts'],
    ],
  },
  {
    folder: 'packages/contract/src',
    parts: [['text'], ['requests', 'replies'], ['index.ts']],
  },
  {
    folder: 'packages/client/src',
    parts: [
      ['errors'],
      ['options'],
      ['http'],
      ['query'],
      ['walk', 'export', 'watch'],
      ['groups'],
      ['client.ts'],
      ['index.ts'],
    ],
  },
  {
    folder: 'packages/client/src/options',
    parts: [['checks']],
  },
  {
    folder: 'packages/cli/src',
    parts: [
      ['terminal', 'completion', 'types-generator'],
      ['service'],
      ['base-program.ts', 'output'],
      ['filter-expression', 'export'],
      ['flags'],
      ['commands'],
      ['program.ts'],
      ['run.ts'],
      ['command-line.ts', 'index.ts'],
      ['main.ts'],
    ],
  },
  {
    folder: 'packages/cli/src/export',
    parts: [['formats'], ['server-export.ts', 'write-export.ts']],
  },
  {
    folder: 'packages/grids/src',
    parts: [
      ['errors'],
      ['mapping'],
      ['model'],
      ['reading'],
      ['ag-grid', 'mui-x', 'react-admin', 'refine', 'tanstack-table'],
      ['index.ts'],
    ],
  },
  {
    folder: 'apps/server/src',
    parts: [
      ['process', 'redis'],
      ['settings'],
      ['log'],
      ['access', 'limits', 'audit', 'traces'],
      ['checks'],
      ['http'],
      ['app.ts', 'reload.ts'],
      ['reload-step.ts', 'obstacles.ts'],
      ['compose.ts'],
      ['service.ts'],
      ['commands'],
      ['exit-code.ts'],
      ['run.ts'],
      ['main.ts', 'index.ts'],
    ],
  },
  {
    folder: 'apps/server/src/settings',
    parts: [
      ['groups'],
      ['schema.ts'],
      ['json-schema.ts'],
      ['setting-message.ts'],
      ['file'],
      [
        'address.ts',
        'model-settings.ts',
        'restart.ts',
        'secrecy.ts',
        'sent-settings.ts',
        'workers.ts',
      ],
      ['engine-settings.ts'],
    ],
  },
  {
    folder: 'apps/server/src/access',
    parts: [['jwt'], ['authenticator.ts']],
  },
  {
    folder: 'apps/server/src/limits',
    parts: [
      ['counts'],
      ['invalid-tokens.ts', 'running-queries.ts', 'token-limits.ts'],
      ['worker-queries.ts'],
      ['limits.ts'],
    ],
  },
  {
    folder: 'apps/server/src/http',
    parts: [
      ['request'],
      ['openapi', 'raw-problem.ts'],
      ['plugins'],
      ['query-slot.ts'],
      ['read-route.ts'],
      ['reply'],
      ['metrics'],
      ['routes'],
    ],
  },
  {
    folder: 'apps/server/src/commands/workers',
    parts: [['shared'], ['worker', 'worker-handle.ts'], ['worker-process.ts', 'primary']],
  },
  {
    folder: 'apps/explorer/src',
    parts: [
      ['values', 'session', 'theme'],
      ['api'],
      ['state', 'controls'],
      ['problems'],
      [
        'columns',
        'copy-as',
        'distribution',
        'export',
        'facets',
        'filter',
        'groups',
        'models',
        'record',
        'saved-views',
        'search',
        'shortcuts',
        'table',
      ],
      ['model-page', 'overview', 'sign-in'],
      ['app.tsx'],
      ['main.tsx'],
    ],
  },
  {
    folder: 'apps/explorer/src/state',
    parts: [['filter'], ['view'], ['use-count.ts'], ['use-page.ts'], ['use-seek.ts']],
  },
  {
    folder: 'apps/explorer/src/table',
    parts: [
      ['columns'],
      ['data-table-props.ts', 'header-cell.tsx'],
      ['table-body.tsx'],
      ['data-table.tsx'],
    ],
  },
];
