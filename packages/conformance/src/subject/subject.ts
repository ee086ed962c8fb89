import type { AttributeEntry, ModelEntry } from '@proj/client';
import { API_PATHS, type ProblemCode } from '@proj/contract';

import { demand, demandError, demandProblem, given, NotTried } from '../demand.ts';
import type { Section } from '../sections.ts';
import { errorsOf, isObject, type JsonObject, membersOf } from './json.ts';
import type { Call, Reply, Send } from './send.ts';

/** What a server is asked about. */
export interface Selection {
  readonly model: string;
  readonly attributes: readonly string[];
  /** The model in the catalogue, where there is one. */
  readonly entry: ModelEntry | undefined;
  readonly hiddenModel: string | undefined;
  readonly hiddenAttribute: string | undefined;
}

/** Which page of what; members of the request are added or replaced by `more`. */
export interface PageOptions {
  readonly page: number;
  readonly size: number;
  readonly more?: JsonObject;
}

/** A page that came, as far as it can be read at all. */
export interface UncountedPage {
  readonly reply: Reply;
  readonly result: readonly JsonObject[];
  readonly page: JsonObject;
}

/** A page whose total was asked for. */
export interface ReadPage extends UncountedPage {
  readonly total: bigint;
}

const SAMPLE_SIZE = 200;

/**
 * Parts of the contract that a server may leave out, and how it shows that it does: it has no such
 * path, or refuses the members as unknown.
 */
const PROBES: { readonly [Part in Section]?: (subject: Subject) => Promise<boolean> } = {
  'the-catalogue': async ({ send }) => (await send({ path: API_PATHS.models })).status !== 404,
  'filters-and-sorting': async (subject) => {
    const [attribute] = subject.selection.attributes;
    const query_filter = { attribute, op: 'is_null', value: false };
    return (await subject.knows({ query_filter })) || subject.knows({ query_sort: [] });
  },
  'lists-too-long-to-count': async (subject) => subject.knows({ query_total: 'exact' }),
  'related-counts': async (subject) => subject.knows({ query_related: [] }),
  groups: async (subject) =>
    subject.knows({ query_groups: subject.selection.attributes.slice(0, 1) }),
};

/** The server under test, and the part of its data that the rules look at. */
export class Subject {
  readonly send: Send;
  readonly selection: Selection;
  #sample: Promise<readonly JsonObject[]> | undefined;
  readonly #parts = new Map<Section, Promise<boolean>>();

  constructor(send: Send, selection: Selection) {
    this.send = send;
    this.selection = selection;
  }

  /** The largest page that the server answers. */
  get maximum(): number {
    return this.selection.entry?.max_page_size ?? 1000;
  }

  /** The model in the catalogue, or the rule is not tried. */
  get entry(): ModelEntry {
    return given(this.selection.entry, 'the server has no catalogue that names the model');
  }

  /** Whether the server has a part of the contract, which is asked for once. */
  async has(part: Section): Promise<boolean> {
    const known = this.#parts.get(part) ?? PROBES[part]?.(this) ?? Promise.resolve(true);
    this.#parts.set(part, known);
    return known;
  }

  /** @throws {NotTried} where the server leaves the part out. */
  async needs(part: Section): Promise<void> {
    if (!(await this.has(part))) throw new NotTried(`the server leaves out ${part}`);
  }

  /** Whether the server knows the members of a query. */
  async knows(members: JsonObject): Promise<boolean> {
    const { json } = await this.query(this.body(members));
    const codes = [json, ...errorsOf(json)].map((part) => membersOf(part)['code']);
    return !codes.includes('unknown_member');
  }

  /** The key of the model, of which each part is a requested attribute; or it is not tried. */
  visibleKey(): readonly string[] {
    const { key } = this.entry;
    const isVisible = key.every((name) => this.selection.attributes.includes(name));
    return given(key.length > 0 && isVisible ? key : undefined, 'no key is among the attributes');
  }

  /** The body of a request that is in order, for page 1. */
  body(more: JsonObject = {}): JsonObject {
    const { model, attributes } = this.selection;
    return {
      query_model: model,
      query_attributes: attributes.slice(0, 1),
      page: { page: 1, size: 1 },
      ...more,
    };
  }

  /** Sends a query, whatever its body. */
  async query(body: unknown, call: Partial<Call> = {}): Promise<Reply> {
    return this.send({
      path: API_PATHS.query,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...call,
    });
  }

  /** Sends a query that is in order, with headers. */
  async ask(headers: Call['headers'] = {}): Promise<Reply> {
    return this.query(this.body(), { headers });
  }

  /**
   * Sends a query that is in order but for some members.
   *
   * @throws {Violation} unless it is refused with a code, at a place where one is named.
   */
  async refuses(members: JsonObject, code: ProblemCode, pointer?: string): Promise<void> {
    const of = `a query with ${JSON.stringify(members).slice(0, 100)}`;
    const reply = await this.query(this.body(members));
    if (pointer === undefined) demandProblem(reply, of, code);
    else demandError(reply, of, { code, pointer });
  }

  /** Reads the first page, of so many records or of as many as there may be. */
  async first(size: number, more: JsonObject = {}): Promise<ReadPage> {
    return this.read({ page: 1, size: Math.min(size, this.maximum), more });
  }

  /**
   * Reads a page of all attributes.
   *
   * @throws {Violation} when the server does not answer with one.
   */
  async read(options: PageOptions): Promise<ReadPage> {
    const read = await this.readUncounted(options);
    return { ...read, total: readTotal(read.page['total'], describePage(options)) };
  }

  /** The same for a page that need not have a total. */
  async readUncounted({ page, size, more = {} }: PageOptions): Promise<UncountedPage> {
    const request = { query_attributes: this.selection.attributes, page: { page, size }, ...more };
    const reply = await this.query(this.body(request));
    const what = describePage({ page, size, more });
    demand(
      reply.status === 200,
      `${what}: expected status 200; got ${reply.status} ` +
        JSON.stringify(membersOf(reply.json)['detail'] ?? ''),
    );
    const { result, page: metadata } = membersOf(reply.json);
    demand(
      Array.isArray(result) && result.every(isObject),
      `${what}: expected a result of objects; got ${reply.text.slice(0, 80)}`,
    );
    demand(
      isObject(metadata),
      `${what}: expected the metadata in page; got ${reply.text.slice(-80)}`,
    );
    return { reply, result, page: metadata };
  }

  /** How many records a filter keeps; all without one. */
  async count(filter?: unknown): Promise<bigint> {
    const more = filter === undefined ? {} : { query_filter: filter };
    return (await this.first(1, more)).total;
  }

  /** The first records of the model, read once. */
  async sample(): Promise<readonly JsonObject[]> {
    this.#sample ??= this.first(SAMPLE_SIZE).then(({ result }) => result);
    return this.#sample;
  }

  /** The requested attributes that suit, in the order of the catalogue. */
  attributes(suits: (attribute: AttributeEntry) => boolean): readonly AttributeEntry[] {
    return this.entry.attributes.filter(
      (attribute) => this.selection.attributes.includes(attribute.name) && suits(attribute),
    );
  }

  /** The distinct values of an attribute in the sample, without NULL. */
  async values(attribute: string): Promise<readonly unknown[]> {
    const all = (await this.sample())
      .map((record) => record[attribute])
      .filter((value) => value !== null && value !== undefined);
    return [...new Map(all.map((value) => [JSON.stringify(value), value])).values()];
  }

  /** Changes when others write, as far as one can see from outside. */
  async fingerprint(): Promise<string> {
    const { reply, total } = await this.first(1);
    return `${total} ${reply.headers.get('data-version') ?? ''}`;
  }
}

function describePage({ page, size, more = {} }: PageOptions): string {
  const extra = Object.keys(more).length === 0 ? '' : ` with ${JSON.stringify(more).slice(0, 200)}`;
  return `page ${page} of size ${size}${extra}`;
}

/** Reads a total that is a string or a number. Another rule checks that it is a string. */
function readTotal(total: unknown, what: string): bigint {
  const text = typeof total === 'number' || typeof total === 'string' ? String(total) : '';
  demand(/^\d+$/.test(text), `${what}: expected a total of digits; got ${JSON.stringify(total)}`);
  return BigInt(text);
}
