/** As `engines` of package.json says. */
const OLDEST = [22, 16] as const;

/**
 * Why a Node is too old. This file imports nothing, so that old Nodes can load it.
 *
 * @param version such as `22.16.0`
 */
export function nodeTooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined;
  return (
    `Node ${version} is too old. Install Node ${OLDEST.join('.')} or later: ` +
    'https://nodejs.org/en/download'
  );
}
