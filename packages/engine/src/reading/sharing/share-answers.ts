import type { Acceleration } from '../acceleration.ts';
import type { MechanismCounters } from '../cache-stats.ts';
import type { Question, Reader } from '../reader.ts';
import type { Reply, ReplyCache } from './reply-cache.ts';
import { SingleFlight } from './single-flight.ts';

/** By what answers are shared. */
export interface SharingParts<Answer extends Reply> {
  readonly replies: ReplyCache<Answer>;
  readonly counters: MechanismCounters;
}

/**
 * The links that answer equal questions with one answer, whatever they ask. Kept replies are looked
 * up twice: before a request waits for an equal one, and again after it has waited, since the read
 * that it waited for may have brought the reply.
 */
export function shareAnswers<Asked extends Question, Answer extends Reply>(
  { singleFlight, replyCache }: Acceleration,
  { replies, counters }: SharingParts<Answer>,
  found: Reader<Asked, Answer>,
): Reader<Asked, Answer> {
  let shared = found;
  if (singleFlight && replyCache) shared = replies.before(shared);
  if (singleFlight) shared = new SingleFlight(shared, counters);
  return replyCache ? replies.before(shared) : shared;
}
