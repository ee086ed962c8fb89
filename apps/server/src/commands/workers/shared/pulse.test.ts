import { expect, it } from 'vitest';

import { Pulse } from './pulse.ts';

/** A pulse of a worker that answers when the test lets it. */
function pulseOf() {
  const events: string[] = [];
  const asked: (() => void)[] = [];
  const pulse = new Pulse({
    ask: () => new Promise<void>((resolve) => asked.push(resolve)),
    onSilent: () => events.push('silent'),
    onAnswer: () => events.push('answers'),
    onLost: () => events.push('lost'),
  });
  const answer = async (): Promise<void> => {
    for (const resolve of asked.splice(0)) resolve();
    await Promise.resolve();
  };
  const beat = (times: number): void => {
    for (let time = 0; time < times; time += 1) pulse.beat();
  };
  return { pulse, events, answer, beat };
}

it('a worker that answers each time is never silent, however long it runs', async () => {
  const { pulse, events, answer, beat } = pulseOf();
  for (let time = 0; time < 100; time += 1) {
    beat(1);
    await answer();
  }
  expect(pulse.isSilent).toBe(false);
  expect(events).toEqual([]);
});

it('a worker without an answer is silent after a second and lost after ten, once each', async () => {
  const { pulse, events, answer, beat } = pulseOf();
  beat(1);
  await answer();
  beat(4);
  expect(pulse.isSilent).toBe(false);
  beat(1);
  expect(pulse.isSilent).toBe(true);
  beat(35);
  expect(events).toEqual(['silent']);
  beat(30);
  expect(events).toEqual(['silent', 'lost']);
  await answer();
  expect(pulse.isSilent).toBe(false);
  expect(events).toEqual(['silent', 'lost', 'answers']);
});

it('a worker that starts is never silent, and is lost after a minute without an answer', async () => {
  const { pulse, events, beat } = pulseOf();
  beat(240);
  expect(pulse.isSilent).toBe(false);
  expect(events).toEqual([]);
  beat(1);
  expect(events).toEqual(['lost']);
});

it('a process that was suspended with its workers misses one beat, however long that was', async () => {
  const { pulse, events, answer, beat } = pulseOf();
  beat(1);
  await answer();
  beat(1);
  // Its own timer fires once when the machine wakes up, before answers are read.
  beat(1);
  await answer();
  expect(pulse.isSilent).toBe(false);
  expect(events).toEqual([]);
});

it('what is asked of a worker is refused once it is silent', async () => {
  const { pulse, answer, beat } = pulseOf();
  beat(1);
  await answer();
  const never = new Promise<never>(() => undefined);
  const asked = pulse.unlessSilent(never);
  beat(5);
  await expect(asked).rejects.toMatchObject({ code: 'overloaded' });
  await expect(pulse.unlessSilent(never)).rejects.toMatchObject({ code: 'overloaded' });
  expect(await pulse.unlessSilent(Promise.resolve(1)).catch(() => 2)).toBe(1);
});
