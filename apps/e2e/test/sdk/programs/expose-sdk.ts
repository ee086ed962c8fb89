/** What the page of the tests loads: the SDK, where the tests find it. */
import * as sdk from '@proj/client';

declare global {
  var dynamicQuery: typeof sdk;
}

globalThis.dynamicQuery = sdk;
