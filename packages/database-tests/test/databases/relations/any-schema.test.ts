import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Engine } from '@proj/engine';
import { beforeRelease, eachNth, SEED } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Model } from '../../../../engine/src/catalogue/model.ts';
import { InvalidQueryError } from '../../../../engine/src/errors.ts';
import { exported } from '../../exported.ts';
import type { Fixture, FixtureDatabase } from '../../fixtures/fixture.ts';
import { fixturesOf } from '../../fixtures/index.ts';
import { open } from '../../open.ts';
import { groupedByHand, nameOf, normalised } from '../groups/grouped-by-hand.ts';
import { numbersFrom, Role, someLimits } from './any-schema.ts';
import { type AnyRequest, Requests } from './any-schema-requests.ts';
import { type SeenView, seenView } from './any-schema-views.ts';
import { MODELS, rowsOf, TABLES } from './schema.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** A folder of `<schema>.<database>.sql`, such as `chinook.PostgreSQL.sql`. */
const folder = process.env['TEST_SCHEMAS'];
const LONG_MS = 3_600_000;
const REQUESTS = Number(process.env['TEST_SCHEMAS_REQUESTS'] ?? (beforeRelease ? 60 : 25));

interface Case {
  readonly fixture: Fixture;
  readonly schema: string;
  /** The SQL of the schema; undefined for that of the other tests. */
  readonly file: string | undefined;
}

const CASES = FIXTURES.flatMap((fixture): Case[] => {
  if (folder === undefined) return [{ fixture, schema: 'orders', file: undefined }];
  const suffix = `.${fixture.family}.sql`;
  const files = readdirSync(folder).filter((one) => one.endsWith(suffix));
  return files.map((file) => ({
    fixture,
    schema: file.slice(0, -suffix.length),
    file: join(folder, file),
  }));
});

type Values = Readonly<Record<string, unknown>>;

/** A model as a role sees it, and the view that shows the same. */
interface Subject {
  readonly model: Model;
  readonly role: Role;
  readonly view: SeenView;
  readonly requests: Requests;
}

/** A request of the view, by its columns. */
function ofView<Value>(value: Value, { named }: SeenView): Value {
  const columns = new Map(named.map(({ name, column }) => [name, column]));
  const renamed = (item: unknown, key: string): unknown => {
    if (typeof item === 'string') return key === 'attribute' ? (columns.get(item) ?? item) : item;
    if (Array.isArray(item))
      return item.map((one) => renamed(one, /^(attributes|key)$/.test(key) ? 'attribute' : ''));
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(
      Object.entries(item).map(([name, one]) => [name, renamed(one, name)]),
    );
  };
  return renamed(value, '') as Value;
}

describe.each(eachNth(2, CASES))(
  'lists along all relations of $schema on $fixture.name',
  folder === undefined ? {} : { timeout: LONG_MS },
  ({ fixture, file }) => {
    let engine: Engine;
    let all: ReadonlyMap<string, Model>;
    let subjects: Subject[];
    const random = numbersFrom(SEED);

    beforeAll(
      async () => {
        const database = await fixture.create();
        await fill(database, file);
        const settings = file === undefined ? { orders: MODELS['orders'] ?? {} } : {};
        const first = await open(database.url, { models: settings });
        // In an order of their own, for a seed to repeat a run.
        all = new Map([...first.catalogue].toSorted(([a], [b]) => (a < b ? -1 : 1)));
        const limits = await someLimits(all, random, async ({ name }, attribute) => {
          const { records } = await exported(first, { model: name, attributes: [attribute] });
          const values = records.flatMap((one) => one[attribute] ?? []).toSorted(byNumber);
          return values[Math.floor(values.length / 3)] as number | string | undefined;
        });
        const roles = [new Role('all', all), new Role('some', all, limits)];
        const seen = roles.flatMap((role) =>
          [...all.values()].map((model) => {
            const view = seenView(model, role, { models: all, fixture });
            return { model, role, view };
          }),
        );
        await database.execute(seen.map(({ view }) => view.sql));
        const keys = seen.map(({ model, role, view }) => {
          const columns = model.key.map(({ column }) => column);
          const { key } = ofView({ key: attributesOf({ model, role }, columns) }, view);
          return [view.name, { key }];
        });
        const models = { ...settings, ...Object.fromEntries(keys) };
        engine = await open(database.url, { models, queryTimeoutMs: 120_000 });
        subjects = [];
        for (const { model, role, view } of seen) {
          const attributes = view.named.map(({ column }) => column);
          const { records } = await exported(engine, { model: view.name, attributes });
          const requests = new Requests(view.named, records, random);
          subjects.push({ model, role, view, requests });
        }
      },
      folder === undefined ? undefined : LONG_MS,
    );

    async function each(ask: (subject: Subject) => Promise<void>, count: number): Promise<void> {
      for (let asked = 0; asked < count; asked++) {
        const subject = subjects[Math.floor(random() * subjects.length)];
        if (subject !== undefined) await ask(subject);
      }
    }

    it(`are those of views with left joins (seed ${SEED})`, async () => {
      await each(async ({ model, role, view, requests }) => {
        const request = requests.next();
        const page = (name: string, { attributes, filter, sort, ...place }: AnyRequest) => {
          const body = {
            query_model: name,
            query_attributes: attributes,
            page: place,
            query_sort: sort,
            ...(filter && { query_filter: filter }),
          };
          return outcome(engine.query(body, role.grant), ({ result, page: { total } }) => {
            const records = (JSON.parse(result) as object[]).map((one) => Object.values(one));
            return { records, total: String(total) };
          });
        };
        const expected = await page(view.name, ofView(request, view));
        const given = await page(model.name, request);
        expect({ request, given }).toEqual({ request, given: expected });
      }, REQUESTS);
    });

    it(`make the groups of the records of such views (seed ${SEED})`, async () => {
      await each(async ({ model, role, view, requests }) => {
        const { filter } = requests.next();
        const { groups, aggregates } = requests.groups();
        const decimals = new Set(
          aggregates.flatMap(({ name, op }) => (op === 'sum' || op === 'average' ? name : [])),
        );
        const texts = (some: readonly Values[]): string[] =>
          some.map((one) => JSON.stringify(normalised(one, decimals))).toSorted();
        const used = new Set([...groups, ...aggregates].map(({ attribute }) => attribute));
        const list = {
          model: view.name,
          attributes: view.named.flatMap(({ name, column }) => (used.has(name) ? column : [])),
          ...(filter && { filter: ofView(filter, view) }),
        };
        const expected = await outcome(exported(engine, list), ({ records }) => {
          const shown = records.map((record) => ofModel(record, view));
          return texts(groupedByHand(shown, groups, aggregates));
        });
        const asked = {
          model: model.name,
          attributes: [...groups.map(nameOf), ...aggregates.map(({ name }) => name)],
          ...(filter && { filter }),
          grouping: { query_groups: groups, query_aggregates: aggregates },
        };
        const given = await outcome(exported(engine, asked, role), ({ records }) => texts(records));
        expect({ asked, given }).toEqual({ asked, given: expected });
      }, REQUESTS);
    });

    it(`keep the records that others refer to (seed ${SEED})`, async () => {
      await each(
        async (owner) => {
          for (const toOne of owner.model.relations.values()) {
            const target = subjects.find(
              (one) => one.model.name === toOne.model && one.role === owner.role,
            );
            if (toOne.inverse === undefined || target === undefined) continue;
            if (!owner.role.sees(owner.model, toOne)) continue;
            const inner = owner.requests.filter(1);
            const held = attributesOf(owner, toOne.columns);
            const key = attributesOf(
              target,
              toOne.key.map(({ column }) => column),
            );
            const keys = await outcome(
              exported(engine, {
                model: owner.view.name,
                ...ofView({ attributes: held, filter: inner }, owner.view),
              }),
              ({ records }) => new Set(records.filter(isWhole).map(valuesText)),
            );
            const whole = await exported(engine, {
              model: target.view.name,
              ...ofView({ attributes: key }, target.view),
            });
            for (const quantifier of ['some', 'none']) {
              const filter = { related: toOne.inverse, [quantifier]: inner };
              const asked = { model: target.model.name, attributes: key, filter };
              const expected =
                typeof keys === 'string'
                  ? keys
                  : whole.records
                      .map(valuesText)
                      .filter((text) => keys.has(text) === (quantifier === 'some'));
              const given = await outcome(exported(engine, asked, owner.role), ({ records }) =>
                records.map(valuesText),
              );
              expect({ asked, given }).toEqual({ asked, given: expected });
            }
          }
        },
        Math.ceil(REQUESTS / 4),
      );
    });

    it(`have the error of an absent name where a role sees no part of a path (seed ${SEED})`, async () => {
      for (const { model, role } of subjects) {
        const whole = subjects.find((one) => one.model === model && one.role.name === 'all');
        for (const { name } of eachNth(3, whole?.view.named ?? [])) {
          const page = { page: 1, size: 1 };
          const body = { query_model: model.name, query_attributes: [name], page };
          const answer = await outcome(engine.query(body, role.grant), () => 'records');
          const expected = isVisible(name, model, role) ? 'records' : 'unknown_attribute';
          expect({ name, answer }).toEqual({ name, answer: expected });
        }
      }
    });
  },
);

async function fill(database: FixtureDatabase, file: string | undefined): Promise<void> {
  if (file !== undefined) await database.client(readFileSync(file, 'utf8'));
  else {
    const isMariadb = database.url.startsWith('mysql') || database.url.startsWith('mariadb');
    const quoted = (sql: string): string => (isMariadb ? sql.replaceAll('"', '`') : sql);
    await database.execute([...TABLES, ...rowsOf(SEED)].map(quoted));
  }
}

/** What is made of an answer, or the codes of the errors of a request that is refused. */
async function outcome<Answer, Made>(
  answering: Promise<Answer>,
  make: (answer: Answer) => Made,
): Promise<Made | string> {
  try {
    return make(await answering);
  } catch (error) {
    if (!(error instanceof InvalidQueryError)) throw error;
    return error.errors.map(({ code }) => code).join(', ');
  }
}

/** Whether a role sees all that a path leads along, and its end. */
function isVisible(name: string, model: Model, role: Role): boolean {
  if (role.attributesOf(model).some((one) => one.name === name)) return true;
  return [...model.relations.values()].some((toOne) => {
    const target = role.models.get(toOne.model);
    if (target === undefined || !name.startsWith(`${toOne.name}.`) || !role.sees(model, toOne))
      return false;
    return isVisible(name.slice(toOne.name.length + 1), target, role);
  });
}

/** The attributes that show some columns of a model, which the role sees. */
function attributesOf(
  { model, role }: Pick<Subject, 'model' | 'role'>,
  columns: readonly string[],
): string[] {
  const seen = role.attributesOf(model);
  return columns.flatMap((column) => seen.find((one) => one.column === column)?.name ?? []);
}

function ofModel(record: Values, { named }: SeenView): Values {
  const shown = named.filter(({ column }) => Object.hasOwn(record, column));
  return Object.fromEntries(shown.map(({ name, column }) => [name, record[column]]));
}

/** A key that is NULL in part leads nowhere. */
function isWhole(record: Values): boolean {
  return Object.values(record).every((value) => value !== null);
}

function valuesText(record: Values): string {
  return JSON.stringify(Object.values(record));
}

function byNumber(a: unknown, b: unknown): number {
  return Number(a) - Number(b);
}
