import type { Grant } from '@proj/engine';

export interface Principal {
  readonly name: string;
  /** Opaque and unique, unlike names: an issuer may name somebody like a token. */
  readonly id: string;
  /** Null for the admin token. */
  readonly role: string | null;
  /** Read it in the synchronous step that uses it: a reload changes the catalogue. */
  readonly grant: Grant;
  /** As whom the database reads, with names of settings only; absent: as the service. */
  readonly session?: { readonly role: string; readonly settings: string[] } | undefined;
  /** Whether replies hide the version of the data. @default false */
  readonly hidesDataVersion?: boolean;
  /** Whether replicas may answer. @default false */
  readonly usesReplicas?: boolean;
}
