/**
 * A message whose call has the argument `__proto__` in quotes, under which it is refused as any
 * other that there is not. Under its own name it would be dropped on the way to the tool.
 */
export function withShownPrototype<Message>(message: Message): Message {
  const { params } = Object(message) as { params?: object };
  const { arguments: given } = Object(params) as { arguments?: unknown };
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, '__proto__'))
    return message;
  const shown = Object.entries(given).map(([name, value]: [string, unknown]) => [
    name === '__proto__' ? JSON.stringify(name) : name,
    value,
  ]);
  return { ...message, params: { ...params, arguments: Object.fromEntries(shown) } };
}
