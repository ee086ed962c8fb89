import { type ModelEntry, operatorsOf, readQueryRequest } from '@proj/contract';

import { type Answer, problem, type Received } from '../../../cli/test/service/answer.ts';
import type { CityRecord, Model } from '../../../cli/test/service/cities.ts';
import { matches } from '../../../cli/test/service/matches.ts';

/** Answers a request in place of one that counts no parts. */
export type AnswerPlain = (request: Received, model: Model) => Answer;

/** The answer to a query of cities with counts of their parts; undefined for other requests. */
export function answerCounted(
  request: Received,
  model: Model,
  answerPlain: AnswerPlain,
): Answer | undefined {
  const body = bodyOf(request);
  const reading = readQueryRequest(body);
  if (!reading.ok || !request.path.endsWith('/query')) return undefined;
  const { query_related: related = [] } = reading.request;
  if (related.length === 0) return undefined;
  const { entry, records } = model;
  const attributes: ModelEntry['attributes'] = [...entry.attributes];
  for (const [index, { name, related: inverse }] of related.entries()) {
    const pointer = `/query_related/${index}`;
    if (attributes.some((attribute) => attribute.name === name))
      return refused(`${pointer}/name`, 'duplicate_attribute');
    if (inverse !== 'parts') return refused(`${pointer}/related`, 'unknown_attribute');
    attributes.push(countNamed(name));
  }
  const counted = records.map((record): CityRecord => {
    const counts = related.map(({ name, filter }) => [
      name,
      String(
        records.filter(
          (part) =>
            part['parent_id'] === record['id'] &&
            (filter === undefined || matches(filter, part, { entry, slips: {} }) === true),
        ).length,
      ),
    ]);
    return { ...record, ...Object.fromEntries(counts) };
  });
  const { query_related: _, ...plain } = Object(body) as Record<string, unknown>;
  const asked = { ...request, body: Buffer.from(JSON.stringify(plain)) };
  return answerPlain(asked, { entry: { ...entry, attributes }, records: counted });
}

function bodyOf({ body }: Received): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function refused(pointer: string, code: 'duplicate_attribute' | 'unknown_attribute'): Answer {
  return problem(code, { errors: [{ pointer, code, detail: `${pointer} is wrong.` }] });
}

function countNamed(name: string): ModelEntry['attributes'][number] {
  const operators = operatorsOf('int64');
  return { name, type: 'int64', nullable: false, description: null, operators, sortable: true };
}
