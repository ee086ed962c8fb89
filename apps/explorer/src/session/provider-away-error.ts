import { NetworkError } from '@proj/client';

/** The provider did not answer; another attempt may succeed. */
export class ProviderAwayError extends NetworkError {
  constructor(url: string, message: string, options: { readonly cause: unknown }) {
    super(url, options);
    this.message = message;
  }
}
