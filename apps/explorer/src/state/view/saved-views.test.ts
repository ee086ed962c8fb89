import { expect, it, vi } from 'vitest';

it('lists a saved view with its address as stored, parts that cannot be read included', async () => {
  const search = 'model=cities&where=population.gtee.5&sort=-population';
  vi.stubGlobal('location', { href: 'http://127.0.0.1/' });
  vi.stubGlobal('localStorage', {
    getItem: () => JSON.stringify([{ name: 'Largest', search }]),
    setItem: () => {},
  });
  vi.stubGlobal('addEventListener', () => {});
  const { removeView, savedViews } = await import('./saved-views.ts');
  expect(savedViews('countries')).toEqual([]);
  const [saved] = savedViews('cities');
  expect(saved).toEqual({ name: 'Largest', model: 'cities', search });
  removeView({ name: 'Largest', model: 'cities' });
  expect(savedViews()).toEqual([]);
});
