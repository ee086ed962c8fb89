import { countOf, demand, given, NotTried } from '../demand.ts';
import type { JsonObject } from './json.ts';
import { EXACT } from './occasion.ts';
import type { Subject } from './subject.ts';

/** A list of groups by one attribute, with the count of each. */
interface Grouping {
  readonly attribute: string;
  /** The name of the aggregate. */
  readonly counted: string;
}

/** One group. */
export interface Group {
  readonly value: unknown;
  readonly count: bigint;
}

/** All groups, in the order in which they came. */
interface Groups {
  readonly groups: readonly Group[];
  /** What the last page says is their number. */
  readonly total: bigint;
}

const SIZE = 10;

/** So many pages of groups are read. */
const MOST_PAGES = 20;

/** So many attributes are tried in search of one with few groups. */
const MOST_ATTRIBUTES = 5;

/** An attribute with more values in the sample is left to the last. */
const FEW = 50;

function groupingBy(attribute: string): Grouping {
  return { attribute, counted: attribute === 'records' ? 'count' : 'records' };
}

function membersFor({ attribute, counted }: Grouping): JsonObject {
  return {
    query_attributes: [attribute, counted],
    query_groups: [attribute],
    query_aggregates: [{ name: counted, op: 'count' }],
  };
}

/** Reads page after page; undefined where there are too many. */
async function readGroups(
  subject: Subject,
  grouping: Grouping,
  more: JsonObject = {},
): Promise<Groups | undefined> {
  const { attribute, counted } = grouping;
  const size = Math.min(SIZE, subject.maximum);
  const groups: Group[] = [];
  for (let number = 1; number <= MOST_PAGES; number++) {
    const options = { page: number, size, more: { ...membersFor(grouping), ...more } };
    const { result, page, total } = await subject.read(options);
    for (const record of result)
      groups.push({ value: record[attribute] ?? null, count: countOf(record, counted) });
    if (page['has_next'] !== true || result.length === 0) return { groups, total };
  }
  return undefined;
}

/** Attributes of exact types that hold values, those with NULL and few values first. */
export async function groupable(subject: Subject): Promise<readonly [string, ...string[]]> {
  const suiting = subject.attributes(
    ({ type, facets, operators }) =>
      EXACT.has(type) &&
      facets?.includes('values') === true &&
      operators.includes('eq') &&
      operators.includes('is_null'),
  );
  const sample = await subject.sample();
  const counted = await Promise.all(
    suiting.map(async ({ name }) => {
      const { length: size } = await subject.values(name);
      const hasNull = sample.some((record) => (record[name] ?? null) === null);
      return { name, size, rank: hasNull && size <= FEW ? 0 : 1 };
    }),
  );
  const [first, ...others] = counted
    .filter(({ size }) => size > 0)
    .toSorted((a, b) => a.rank - b.rank || a.size - b.size)
    .map(({ name }) => name);
  return [given(first, 'no attribute of an exact type with facets of values holds one'), ...others];
}

/** Groups of which all can be read, or the rule is not tried. */
export async function groupOccasion(subject: Subject): Promise<Grouping & Groups> {
  const names = await groupable(subject);
  for (const name of names.slice(0, MOST_ATTRIBUTES)) {
    const grouping = groupingBy(name);
    const found = await readGroups(subject, grouping);
    if (found !== undefined) return { ...grouping, ...found };
  }
  throw new NotTried(`no attribute was found with at most ${SIZE * MOST_PAGES} groups`);
}

/** Those with a time zone first. Days of this one begin at 15:00 in UTC. */
const DAY_TYPES = ['timestamp_tz', 'timestamp', 'date'];
const ZONE = { time_zone: 'Asia/Tokyo' };

/** Some groups by day. */
export async function dayOccasion(subject: Subject): Promise<{
  readonly attribute: string;
  /** What the group and a filter of its day say of a zone. */
  readonly zone: JsonObject;
  readonly groups: readonly Group[];
}> {
  const suiting = subject
    .attributes(({ type, operators }) => DAY_TYPES.includes(type) && operators.includes('on'))
    .toSorted((a, b) => DAY_TYPES.indexOf(a.type) - DAY_TYPES.indexOf(b.type));
  for (const { name: attribute, type } of suiting) {
    const zone = type === 'timestamp_tz' ? ZONE : {};
    const by = `${attribute}.day`;
    const more = {
      query_attributes: [by, 'records'],
      query_groups: [{ attribute, by: 'day', ...zone }],
      query_aggregates: [{ name: 'records', op: 'count' }],
    };
    const { result } = await subject.first(SIZE, more);
    const groups = result
      .filter((record) => /^\d{4}-\d\d-\d\d$/.test(String(record[by])))
      .map((record) => ({ value: record[by], count: countOf(record, 'records') }));
    if (groups.length > 0) return { attribute, zone, groups };
  }
  throw new NotTried('no attribute of a date or time holds a day');
}

/**
 * All groups of a list that has no more of them than one of which all could be read.
 *
 * @throws {Violation} where it has more.
 */
export async function readAllGroups(
  subject: Subject,
  grouping: Grouping,
  more: JsonObject,
): Promise<Groups> {
  const found = await readGroups(subject, grouping, more);
  const what = `with ${JSON.stringify(more)}`;
  demand(found !== undefined, `${what}: expected at most ${SIZE * MOST_PAGES} groups; got more`);
  return found;
}
