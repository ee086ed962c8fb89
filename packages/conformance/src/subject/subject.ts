import { API_PATHS } from '@proj/contract';

import type { AttributeEntry, ModelEntry } from '@proj/client';

import { isObject, type JsonObject, membersOf } from './json-object.ts';
import { demand, given, NotTried } from '../demand.ts';
import type { Section } from '../sections.ts';
import { hasPart } from './parts.ts';
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
    const known = this.#parts.get(part) ?? hasPart(part, this.#questions);
    this.#parts.set(part, known);
    return known;
  }

  /** @throws {NotTried} where the server leaves the part out. */
  async needs(part: Section): Promise<void> {
    if (!(await this.has(part))) throw new NotTried(`the server leaves out ${part}`);
  }

  get #questions() {
    const { attributes } = this.selection;
    const queryWith = async (members: JsonObject) => this.query(this.body(members));
    return { send: this.send, attribute: attributes[0] ?? '', queryWith };
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
    return (await this.read({ page: 1, size: 1, more })).total;
  }

  /** The first records of the model, read once. */
  async sample(): Promise<readonly JsonObject[]> {
    this.#sample ??= this.read({ page: 1, size: Math.min(SAMPLE_SIZE, this.maximum) }).then(
      ({ result }) => result,
    );
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
    const { reply, total } = await this.read({ page: 1, size: 1 });
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
