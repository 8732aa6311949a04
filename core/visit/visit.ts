import type { PageHead } from '../page-edits/page-head.ts';
import type { Conditions } from './protocol/preconditions.ts';

/** One visitor's request; `path` and `query` are raw, still percent-encoded; what is not there is `''`. */
export interface Visit {
  path: string;
  /** Without its question mark. */
  query: string;
  accept: string;
  acceptEncoding: string;
  conditions: Conditions;
  /** What the browser says the request is for (W3C Fetch Metadata); `''` where it says nothing. */
  fetch: FetchMetadata;
  /** What a page of the site gets into its head; pages stay as they are where nobody says so. */
  headOf?(file: string): PageHead | undefined;
}

/** The `Sec-Fetch-*` fields, and `Sec-Purpose`. */
export interface FetchMetadata {
  mode: string;
  dest: string;
  site: string;
  purpose: string;
}
