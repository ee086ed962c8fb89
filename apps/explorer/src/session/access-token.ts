import type { TokenSource } from '@proj/client';

import { session } from './session.ts';

/** The token that requests of the page are sent with. */
export const accessToken: TokenSource = ({ refresh }) => {
  const { value } = session;
  if (value.kind !== 'in') return '';
  return typeof value.token === 'string' ? value.token : value.token.accessToken(refresh);
};
