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
    folder: 'packages/engine/src/reading',
    parts: [['chain.ts'], ['reading.ts']],
  },
  {
    folder: 'packages/engine/src/sources',
    parts: [['sqlite', 'postgres', 'mysql'], ['open-source.ts']],
  },
  {
    folder: 'packages/client/src',
    parts: [
      ['errors'],
      ['options'],
      ['http'],
      ['query'],
      ['walk', 'export'],
      ['client.ts'],
      ['index.ts'],
    ],
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
      ['settings'],
      ['log'],
      ['access', 'limits', 'audit', 'traces'],
      ['checks'],
      ['http'],
      ['app.ts', 'reload.ts'],
      ['reload-step.ts'],
      ['compose.ts'],
      ['service.ts'],
      ['commands'],
      ['run.ts'],
      ['main.ts', 'index.ts'],
    ],
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
        'models',
        'record',
        'saved-views',
        'search',
        'table',
      ],
      ['model-page', 'overview', 'sign-in'],
      ['app.tsx'],
      ['main.tsx'],
    ],
  },
];
