const LONGEST = 60;

export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return cut(JSON.stringify(value));
    case 'number':
    case 'bigint':
    case 'boolean':
      return cut(String(value));
    case 'undefined':
      return 'nothing';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? `an array of ${value.length}` : 'an object';
    default:
      return `a ${typeof value}`;
  }
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
