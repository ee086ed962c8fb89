/**
 * Takes the code of a link that signs in out of the address, which then has the view alone. Null
 * where the address has none.
 */
export function takeLinkCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(null, '', location.pathname + location.search);
  return code;
}
