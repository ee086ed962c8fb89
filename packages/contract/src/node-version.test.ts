import { expect, it } from 'vitest';

import { nodeTooOld } from './node-version.ts';

it.each(['22.16.0', '22.20.1', '23.0.0', '24.21.0', '26.0.0-rc.1'])(
  'Node %s runs the program',
  (version) => {
    expect(nodeTooOld(version)).toBeUndefined();
  },
);

it.each(['22.15.1', '20.19.0', '9.9.9', '0.12.0'])(
  'Node %s is refused in one sentence that says what to install',
  (version) => {
    expect(nodeTooOld(version)).toBe(
      `Node ${version} is too old. Install Node 22.16 or later: https://nodejs.org/en/download`,
    );
  },
);
