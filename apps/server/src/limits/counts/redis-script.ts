import { createHash } from 'node:crypto';

import * as z from 'zod';

import { redisKeyOf } from '../../redis/redis-key.ts';
import type { Consumption, Usage } from './rate-limit-state.ts';

/** `SlidingCount` by the time of Redis. Each key is a hash of slot numbers to counts. */
export const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local usages = {}
for i, key in ipairs(KEYS) do
  local limit, amount, unconditional, slotMs, slots = unpack(ARGV, i * 5 - 4, i * 5)
  limit, amount = tonumber(limit), tonumber(amount)
  slotMs, slots = tonumber(slotMs), tonumber(slots)
  local newest = math.floor(now / slotMs)
  local used, counts, gone = 0, {}, {}
  local fields = redis.call('HGETALL', key)
  for f = 1, #fields, 2 do
    local slot, count = tonumber(fields[f]), tonumber(fields[f + 1])
    if slot < newest - slots then
      table.insert(gone, fields[f])
    else
      used = used + count
      table.insert(counts, { slot, count })
    end
  end
  local allowed = used + math.max(amount, 1) <= limit
  if amount > 0 and (allowed or unconditional == '1') then
    used = used + amount
    table.insert(counts, { newest, amount })
    if #gone > 0 then redis.call('HDEL', key, unpack(gone)) end
    redis.call('HINCRBY', key, string.format('%d', newest), string.format('%.0f', amount))
    redis.call('PEXPIRE', key, slotMs * (slots + 1))
  end
  table.sort(counts, function(a, b) return a[1] < b[1] end)
  local left, reset = used, slotMs * slots
  for _, pair in ipairs(counts) do
    left = left - pair[2]
    if left < math.min(used, limit) then
      reset = (pair[1] + slots + 1) * slotMs - now
      break
    end
  end
  usages[i] = { used, allowed and 1 or 0, reset }
end
return usages
`;

export const SCRIPT_SHA1 = createHash('sha1').update(SCRIPT).digest('hex');

export function scriptKeys(consumptions: readonly Consumption[]): string[] {
  return consumptions.map(({ policy, owner }) => redisKeyOf(owner, policy.name));
}

export function scriptArguments(consumptions: readonly Consumption[]): (string | number)[] {
  return consumptions.flatMap(({ limit, amount, unconditional, policy }) => [
    limit,
    amount,
    unconditional ? 1 : 0,
    policy.slotMs,
    policy.slots,
  ]);
}

const replySchema = z.array(z.tuple([z.number(), z.number(), z.number()]));

export function readReply(reply: unknown): Usage[] {
  return replySchema
    .parse(reply)
    .map(([consumed, allowed, resetMs]) => ({ consumed, allowed: allowed === 1, resetMs }));
}
