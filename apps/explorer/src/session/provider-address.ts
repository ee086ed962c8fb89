import type { SignInOffer } from './sign-in-offer.ts';

/** Where the provider sends people back to: the folder of the page, as it is registered there. */
export const PAGE_ADDRESS = new URL('.', location.href).href;

/** The name by which a page can speak of the provider. */
export function providerName({ issuer }: Pick<SignInOffer, 'issuer'>): string {
  return new URL(issuer).host;
}
