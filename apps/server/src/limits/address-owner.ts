import { isIPv6 } from 'node:net';

/** An IPv4 address, or the /64 of an IPv6 address, all of which one host may use (RFC 7421). */
export function addressOwner(address: string): string {
  if (!address.includes(':')) return address;
  // Some proxies forward the port too, which is another one for each connection.
  const [plain = ''] = address.replace(/^\[(.*)\](:\d+)?$/, '$1').split('%');
  const mapped = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(plain)?.[1];
  if (mapped !== undefined || !isIPv6(plain)) return mapped ?? address;
  const [head = '', tail] = plain.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::`;
}

/** Without leading zeros; an IPv4 tail is two groups. */
function groupsOf(part: string): string[] {
  if (part === '') return [];
  return part
    .split(':')
    .flatMap((group) =>
      group.includes('.') ? ['0', '0'] : [Number.parseInt(group, 16).toString(16)],
    );
}
