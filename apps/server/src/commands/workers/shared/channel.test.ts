import { EventEmitter } from 'node:events';

import { QueryFailedError, SettingsError } from '@proj/engine';
import { expect, it, onTestFinished } from 'vitest';

import { Channel, type Handlers, type Port } from './channel.ts';

type Sums = { readonly double: readonly [number, number]; readonly note: readonly [number, void] };

/** One side that asks, and one that answers. */
function connect(handlers: Handlers<Sums>): Channel<Sums, Sums> {
  const wires = [new EventEmitter(), new EventEmitter()] as const;
  const answering = new Channel<Sums, Sums>(port(wires[1], wires[0]), handlers);
  onTestFinished(() => answering.close(new Error('The test is over.')));
  return new Channel<Sums, Sums>(port(wires[0], wires[1]), handlers);
}

function port(own: EventEmitter, other: EventEmitter): Port {
  return {
    send: (message) => setImmediate(() => other.emit('message', structuredClone(message))),
    onMessage: (listener) => void own.on('message', listener),
  };
}

it('answers each question with its own answer', async () => {
  const channel = connect({ double: async (number) => number * 2, note: () => undefined });
  expect(await Promise.all([1, 2, 3].map((number) => channel.ask('double', number)))).toEqual([
    2, 4, 6,
  ]);
});

it.each([
  new SettingsError('port: it is taken.'),
  new QueryFailedError('database_unavailable', 'It is away.'),
  new Error('unforeseen'),
])('passes on what a question fails with: %s', async (error) => {
  const double = async (): Promise<number> => {
    throw error;
  };
  const channel = connect({ double, note: () => undefined });
  await expect(channel.ask('double', 1)).rejects.toThrow(error);
});

it('fails what is asked of a process that has ended, or is asked later', async () => {
  const channel = connect({ double: () => new Promise(() => undefined), note: () => undefined });
  const asked = channel.ask('double', 1);
  channel.close(new Error('It has ended.'));
  await expect(asked).rejects.toThrow('It has ended.');
  await expect(channel.ask('double', 1)).rejects.toThrow('It has ended.');
});
