import { type Filter, type Leaf } from './filter.ts';
import { columnsOf, type ModelName, OWNERS } from './models.ts';
import type { SortTerm } from './order.ts';
import type { Random } from './random.ts';
import { EVERYBODY, NORTH, type Question, SOUTH } from './requests.ts';
import { GRADES, LONG_NOTES, MOMENTS, SPARE_IDS, WORDS } from './rows.ts';

export type Questions = readonly [Question, ...Question[]];

/** Which tasks have a note so long that it is stored apart from its row. */
const LONG_NOTED: Question = hot('tasks', {
  attributes: ['id', 'grade'],
  filter: { attribute: 'note', op: 'in', value: LONG_NOTES },
});

/** Asked so often that answers are kept, shared and indexed. North and South ask the same. */
export const HOT_QUESTIONS: Questions = [
  hot('tasks', { attributes: ['id', 'note'] }),
  ...everywhere('tasks', { attributes: ['id', 'grade', 'note'], sort: [{ attribute: 'grade' }] }),
  hot('tasks', {
    attributes: ['moment', 'id'],
    sort: [{ attribute: 'moment', direction: 'desc' }],
  }),
  hot('tasks', {
    attributes: ['id', 'word', 'done'],
    sort: [{ attribute: 'done' }, { attribute: 'word', direction: 'desc', nulls: 'last' }],
  }),
  hot('tasks', {
    attributes: ['id', 'word', 'grade'],
    sort: [
      { attribute: 'word', nulls: 'first' },
      { attribute: 'grade', direction: 'desc' },
    ],
  }),
  hot('tasks', {
    attributes: ['id', 'grade'],
    filter: { attribute: 'grade', op: 'gte', value: 5 },
  }),
  hot('tasks', {
    attributes: ['id'],
    filter: { attribute: 'word', op: 'is_null', value: true },
    sort: [{ attribute: 'id', direction: 'desc' }],
  }),
  ...everywhere('tasks', {
    attributes: ['id', 'note'],
    filter: { attribute: 'done', op: 'eq', value: true },
  }),
  LONG_NOTED,
  ...everywhere('owned_tasks', { attributes: ['id', 'title', 'word'] }),
  hot('owned_tasks', {
    attributes: ['id', 'title'],
    sort: [{ attribute: 'grade', direction: 'desc' }],
  }),
  hot('owners', { attributes: ['id', 'title'] }),
];

/** So few that replies are kept, and lists followed, from the beginning. */
export const FEW_QUESTIONS: Questions = [
  hot('tasks', { attributes: ['id', 'note'] }),
  hot('tasks', { attributes: ['id', 'grade', 'note'], sort: [{ attribute: 'grade' }] }),
  hot('tasks', {
    attributes: ['id', 'grade'],
    filter: { attribute: 'grade', op: 'gte', value: 5 },
  }),
];

type Asked = Partial<Question> & Pick<Question, 'attributes'>;

function hot(model: ModelName, asked: Asked): Question {
  return { audience: EVERYBODY, filter: undefined, sort: [], ...asked, model };
}

function everywhere(model: ModelName, asked: Asked): [Question, Question, Question] {
  return [
    hot(model, asked),
    hot(model, { ...asked, audience: NORTH }),
    hot(model, { ...asked, audience: SOUTH }),
  ];
}

/** A question that probably nobody asked before. */
export function anyQuestion(random: Random): Question {
  const model = random.pick(['tasks', 'tasks', 'owned_tasks', 'owners']);
  const columns = random.shuffle(columnsOf(model));
  const attributes = columns.filter(() => random.chance(0.4));
  return {
    audience: random.pick([EVERYBODY, NORTH, SOUTH]),
    model,
    attributes: attributes.length === 0 ? ['id'] : attributes,
    filter: random.chance(0.7) ? anyFilter(random, model, 2) : undefined,
    sort: columns.slice(0, random.integer(0, 3)).map((attribute) => anySortTerm(random, attribute)),
  };
}

function anySortTerm(random: Random, attribute: string): SortTerm {
  const direction = random.pick(['asc', 'desc']);
  return {
    attribute,
    direction,
    ...(random.chance(0.5) && { nulls: random.pick(['first', 'last']) }),
  };
}

function anyFilter(random: Random, model: ModelName, depth: number): Filter {
  const kind = depth === 0 ? 'leaf' : random.pick(['leaf', 'leaf', 'and', 'or', 'not']);
  if (kind === 'leaf') return random.pick(LEAVES[model])(random);
  if (kind === 'not') return { not: anyFilter(random, model, depth - 1) };
  const parts = [anyFilter(random, model, depth - 1), anyFilter(random, model, depth - 1)];
  return kind === 'and' ? { and: parts } : { or: parts };
}

type LeafMaker = (random: Random) => Leaf;

const BY_ID: LeafMaker = (random) => ({
  attribute: 'id',
  op: random.pick(['eq', 'lt', 'gte', 'ne']),
  value: random.integer(1, SPARE_IDS),
});
const BY_OWNER: LeafMaker = (random) => ({
  attribute: 'owner',
  op: 'in',
  value: [random.integer(1, OWNERS), random.integer(1, OWNERS)],
});
const BY_GRADE: readonly [LeafMaker, ...LeafMaker[]] = [
  (random) => ({
    attribute: 'grade',
    op: random.pick(['eq', 'lt', 'gte', 'ne']),
    value: random.integer(0, GRADES),
  }),
  (random) => ({
    attribute: 'grade',
    op: 'between',
    value: [random.integer(0, GRADES), random.integer(0, GRADES)],
  }),
  (random) => ({ attribute: 'grade', op: 'is_null', value: random.chance(0.5) }),
  (random) => ({
    attribute: 'grade',
    op: 'is_distinct',
    value: random.chance(0.5) ? null : random.integer(0, GRADES),
  }),
];
const BY_WORD: readonly [LeafMaker, ...LeafMaker[]] = [
  (random) => ({
    attribute: 'word',
    op: random.pick(['eq', 'ne', 'lt', 'gte']),
    value: random.pick(WORDS),
  }),
  (random) => ({
    attribute: 'word',
    op: random.pick(['contains', 'starts_with']),
    value: random.pick(WORDS).slice(0, 1),
  }),
  (random) => ({ attribute: 'word', op: 'in', value: [random.pick(WORDS), random.pick(WORDS)] }),
];

const LEAVES: Readonly<Record<ModelName, readonly [LeafMaker, ...LeafMaker[]]>> = {
  tasks: [
    ...BY_GRADE,
    ...BY_WORD,
    BY_ID,
    BY_OWNER,
    (random) => ({
      attribute: 'moment',
      op: random.pick(['lt', 'gte']),
      value: random.pick(MOMENTS),
    }),
    (random) => ({ attribute: 'done', op: random.pick(['eq', 'ne']), value: random.chance(0.5) }),
    (random) => ({ attribute: 'note', op: 'contains', value: String(random.integer(0, 9)) }),
  ],
  owned_tasks: [
    ...BY_GRADE,
    ...BY_WORD,
    BY_ID,
    BY_OWNER,
    (random) => ({ attribute: 'title', op: 'starts_with', value: random.pick(WORDS).slice(0, 1) }),
  ],
  owners: [
    (random) => ({
      attribute: 'id',
      op: random.pick(['eq', 'lt', 'gte', 'ne']),
      value: random.integer(1, OWNERS),
    }),
    (random) => ({
      attribute: 'title',
      op: random.pick(['eq', 'lt', 'gte']),
      value: random.pick(WORDS),
    }),
  ],
};
