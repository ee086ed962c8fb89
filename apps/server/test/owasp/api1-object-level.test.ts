import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';

import { MODELS_PATH } from '../helper.ts';
import { lasting, openShop } from './shop.ts';

const shop = await openShop();

const TOKENS = shop.settings.tokens.filter(({ expires }) => expires === undefined);

/** A name of this length that nothing has, and that is like no other. */
const nameless = (length: number): string => 'zqxjkvwqzxjkvwq'.slice(0, length);

/** Whether a token may see an attribute, by the settings. */
function isGranted(role: string, model: string, attribute?: string): boolean {
  const models = shop.settings.roles[role]?.models ?? {};
  if (models === 'all') return true;
  const attributes = models[model]?.attributes;
  return attributes === 'all' || (attributes?.includes(attribute ?? 'id') ?? false);
}

type Place = (model: string, attribute: string) => object;

const PLACES: Readonly<Record<string, Place>> = {
  requested: (query_model, attribute) => ({ query_model, query_attributes: [attribute] }),
  'requested beside another': (query_model, attribute) => ({
    query_model,
    query_attributes: ['id', attribute].slice(attribute === 'id' ? 1 : 0),
  }),
  'filtered by': (query_model, attribute) => ({
    query_model,
    query_filter: { attribute, op: 'is_null', value: false },
  }),
  'filtered by, deep inside': (query_model, attribute) => ({
    query_model,
    query_filter: {
      or: [
        { attribute: 'id', op: 'gt', value: '0' },
        { not: { attribute, op: 'is_null', value: true } },
      ],
    },
  }),
  'sorted by': (query_model, attribute) => ({
    query_model,
    query_sort: [{ attribute, direction: 'desc' }],
  }),
};

const CELLS = TOKENS.flatMap(({ name, role }) =>
  [...shop.engine.catalogue].flatMap(([model, { attributes }]) =>
    [...attributes.keys()].flatMap((attribute) =>
      Object.keys(PLACES).map((place) => ({
        token: `${name}-token`,
        role,
        model,
        attribute,
        place,
      })),
    ),
  ),
);

function anonymous(reply: LightMyRequestResponse, name: string): string {
  return JSON.stringify(lasting(reply)).replaceAll(name, 'NAME');
}

const isOpen = ({ role, model, attribute }: (typeof CELLS)[number]): boolean =>
  isGranted(role, model, attribute);

describe('every cell of the matrix of tokens, models, attributes and places', () => {
  it('that the settings grant is answered', async () => {
    const open = CELLS.filter(isOpen);
    expect(open.length).toBeGreaterThan(50);
    for (const { token, model, attribute, place } of open) {
      const members = PLACES[place]?.(model, attribute);
      const { statusCode } = await shop.ask(token, members);
      expect({ token, members, statusCode }).toMatchObject({ statusCode: 200 });
    }
  });

  it('that they do not grant is answered for as a random name is, with its headers', async () => {
    const closed = CELLS.filter((cell) => !isOpen(cell));
    expect(closed.length).toBeGreaterThan(50);
    for (const { token, role, model, attribute, place } of closed) {
      const seen = isGranted(role, model);
      const hidden = seen ? attribute : model;
      const random = nameless(hidden.length);
      const ask = (name: string) =>
        shop.ask(token, seen ? PLACES[place]?.(model, name) : PLACES[place]?.(name, attribute));
      const [real, other] = [await ask(hidden), await ask(random)];
      expect(real).toBeProblem(seen ? 'unknown_attribute' : 'unknown_model');
      expect(anonymous(real, hidden)).toBe(anonymous(other, random));
    }
  });

  it('holds for the catalogue, by name and as a whole', async () => {
    for (const { name, role } of TOKENS) {
      const models = [...shop.engine.catalogue.keys()];
      for (const model of models.filter((one) => isGranted(role, one))) {
        expect((await shop.get(`${name}-token`, `${MODELS_PATH}/${model}`)).statusCode).toBe(200);
      }
      for (const model of models.filter((one) => !isGranted(role, one))) {
        const reply = await shop.get(`${name}-token`, `${MODELS_PATH}/${model}`);
        const random = nameless(model.length);
        const other = await shop.get(`${name}-token`, `${MODELS_PATH}/${random}`);
        expect(reply).toBeProblem('not_found');
        expect(anonymous(reply, model)).toBe(anonymous(other, random));
      }
    }
    const all = await shop.get('store-token', MODELS_PATH);
    expect(all.body).not.toMatch(/orders|salaries|label/);
  });
});

const isNot = (value: string): object => ({ attribute: 'customer', op: 'ne', value });

describe('the rows of another tenant', () => {
  const FILTERS: readonly object[] = [
    {},
    { query_filter: { attribute: 'customer', op: 'contains', value: 'canary' } },
    { query_filter: { attribute: 'customer', op: 'starts_with', value: 'canary-north' } },
    { query_filter: { or: [isNot(''), { not: isNot('') }] } },
    { query_filter: { attribute: 'customer', op: 'is_distinct', value: "' or '1'='1" } },
    { query_filter: { attribute: 'id', op: 'between', value: ['0', '9223372036854775807'] } },
    { query_sort: [{ attribute: 'customer', direction: 'desc' }] },
  ];

  it.each([
    ['north', 'south'],
    ['south', 'north'],
  ])('never reach %s from %s, on any page and by any filter', async (own, other) => {
    for (const filter of FILTERS) {
      for (let page = 1; page <= 5; page++) {
        const members = {
          query_attributes: ['customer', 'id'],
          page: { page, size: 9 },
          ...filter,
        };
        const reply = await shop.ask(`${own}-token`, members);
        expect(reply.statusCode).toBe(200);
        expect(reply.body).not.toContain(`canary-${other}`);
        expect(Number(reply.json<{ page: { total: string } }>().page.total)).toBeLessThanOrEqual(
          30,
        );
      }
    }
  });
});
