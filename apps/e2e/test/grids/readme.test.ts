import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

import { afterEach, expect, it, onTestFinished, vi } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { readBlocks, ROOT } from '../docs/document.ts';
import { serveCities } from './cities.ts';

const FOLDER = new URL('.', import.meta.resolve('@proj/grids/package.json'));
const EXAMPLES = globSync('examples/*.ts', { cwd: FOLDER }).map((file) => basename(file, '.ts'));

const source = (example: string): string =>
  readFileSync(new URL(`examples/${example}.ts`, FOLDER), 'utf8');

const cities = serveCities();

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Has the address of the examples lead to the service of the tests, and notes what they print. */
function prepare(): string[] {
  const { origin, token } = cities();
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (request: Request) => {
    const { origin: host, pathname } = new URL(request.url);
    expect(host).toBe('https://data.example.com');
    const local = new Request(origin + pathname, request);
    local.headers.set('authorization', `Bearer ${token}`);
    return fetch(local);
  });
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
    printed.push(values.map((one) => (typeof one === 'string' ? one : inspect(one))).join(' '));
  });
  return printed;
}

it('the README of the grids shows examples word for word, and links the rest', () => {
  const readme = readFileSync(new URL('README.md', FOLDER), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  const shown = EXAMPLES.filter((example) => blocks.includes(source(example)));
  expect(shown).toHaveLength(blocks.length);
  const linked = [...readme.matchAll(/\(examples\/(.*?)\.ts\)/g)].map(([, example]) => example);
  expect(new Set([...shown, ...linked])).toEqual(new Set(EXAMPLES));
  expect(readme.split('\n').length).toBeLessThanOrEqual(150);
});

const unindented = (text: string): string => text.replaceAll(/^ +/gm, '');

it('the page about React shows its example word for word, and installs what that imports', () => {
  const blocks = readBlocks('docs/guides/react-table.md');
  const example = readFileSync(new URL('examples/tanstack-table/main.tsx', ROOT), 'utf8');
  const shown = blocks.filter(({ language }) => language === 'tsx');
  expect(shown).toHaveLength(2);
  for (const { text } of shown) expect(unindented(example)).toContain(unindented(text));
  const commands = blocks.map(({ language, text }) => (language === 'sh' ? text : '')).join('');
  for (const [, name = ''] of example.matchAll(/^(?:import|\}) .*from '((?:@\w+\/)?[\w-]+)/gm))
    expect(commands).toContain(name.replace('@proj/', 'packages/'));
});

it.each(EXAMPLES)('the example of %s prints what it says', async (example) => {
  const printed = prepare();
  await import(new URL(`examples/${example}.ts`, FOLDER).href);
  expect(printed).toEqual([...source(example).matchAll(/\/\/=> (.*)$/gm)].map(([, line]) => line));
});

it('the example of AG Grid gives blocks, and says what it cannot show', async () => {
  const printed = prepare();
  const { gridOptions } = (await import(new URL('examples/ag-grid.ts', FOLDER).href)) as {
    gridOptions: typeof import('../../../../packages/grids/examples/ag-grid.ts').gridOptions;
  };
  const ask = async (filterModel: unknown): Promise<unknown[] | null> =>
    new Promise((resolve) => {
      gridOptions.datasource?.getRows({
        startRow: 5,
        endRow: 9,
        sortModel: [{ colId: 'population', sort: 'desc' }],
        filterModel,
        successCallback: (rows: unknown[]) => resolve(rows),
        failCallback: () => resolve(null),
      } as never);
    });
  expect(
    await ask({ name: { filterType: 'text', type: 'contains', filter: 'CITY' } }),
  ).toMatchObject(['City 37', 'City 35', 'City 34', 'City 33'].map((name) => ({ name })));
  expect(await ask({ name: { filterType: 'text', type: 'like', filter: 'City 1' } })).toBeNull();
  expect(printed).toEqual([expect.stringMatching(/^MappingError: AG Grid: like of "name": /)]);
  const found = await ask({
    'country.name': { filterType: 'text', type: 'contains', filter: 'L' },
  });
  expect(found?.[0]).toMatchObject({ name: 'City 37', 'country.name': 'Liechtenstein' });
});

describeInBrowser('AG Grid itself', (browser) => {
  it('the example of AG Grid shows the values of a column named by a path', async () => {
    const { gridOptions } = (await import(new URL('examples/ag-grid.ts', FOLDER).href)) as {
      gridOptions: typeof import('../../../../packages/grids/examples/ag-grid.ts').gridOptions;
    };
    const { columnDefs = [], suppressFieldDotNotation = false } = gridOptions;
    const page = await browser().newPage();
    onTestFinished(async () => page.close());
    const module = import.meta.resolve('ag-grid-community');
    const script = new URL('../ag-grid-community.min.js', module);
    await page.addScriptTag({ path: fileURLToPath(script) });
    const shown = await page.evaluate(
      (options) => {
        const { agGrid } = globalThis as unknown as { agGrid: typeof import('ag-grid-community') };
        const api = agGrid.createGrid(document.body, options as never);
        const rowNode = api.getDisplayedRowAtIndex(0);
        const ids = api.getColumns()?.map((column) => column.getColId()) ?? [];
        return ids.map((colKey) => [colKey, rowNode && api.getCellValue({ rowNode, colKey })]);
      },
      {
        columnDefs,
        suppressFieldDotNotation,
        rowData: [{ name: 'Bern', population: '1', 'country.name': 'Switzerland' }],
      },
    );
    expect(shown).toEqual([
      ['name', 'Bern'],
      ['population', '1'],
      ['country.name', 'Switzerland'],
    ]);
  });
});

it('the example of MUI X gives rows to the grid', async () => {
  prepare();
  const { gridProps } = (await import(new URL('examples/mui-x.ts', FOLDER).href)) as {
    gridProps: typeof import('../../../../packages/grids/examples/mui-x.ts').gridProps;
  };
  const rows = await gridProps.dataSource?.getRows({
    start: 0,
    end: 9,
    sortModel: [{ field: 'population', sort: 'desc' }],
    filterModel: { items: [{ field: 'country.name', operator: 'contains', value: 'LAND' }] },
  });
  expect(rows?.rowCount).toBe(21);
  const [first] = rows?.rows ?? [];
  expect(first).toMatchObject({ id: '42', name: 'City 42', 'country.name': 'Switzerland' });
});
