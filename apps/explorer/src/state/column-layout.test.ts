import { expect, it, vi } from 'vitest';

it('has no layout, and no open facets, of its own for a model named as a member of objects', async () => {
  vi.stubGlobal('location', { href: 'http://127.0.0.1/' });
  vi.stubGlobal('localStorage', { getItem: () => '{}', setItem: () => {} });
  vi.stubGlobal('addEventListener', () => {});
  const { layoutOf, setPinned, setWidth } = await import('./column-layout.ts');
  const { openFacets } = await import('./open-facets.ts');
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const model = { name, description: null, attributes: [], key: [], default_sort: [] };
    expect(openFacets({ ...model, max_page_size: 1 })).toEqual([]);
    expect(layoutOf(name)).toEqual({ widths: {}, pinned: [] });
    setWidth(name, name, 100);
    setPinned(name, name, true);
    expect(Object.entries(layoutOf(name).widths)).toEqual([[name, 100]]);
    expect(layoutOf(name).pinned).toEqual([name]);
  }
});
