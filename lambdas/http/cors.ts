import { exposedHeaders } from '../../contract/common-headers.ts';
import type { Binding } from './bind.ts';

/** Any page may read these responses. They depend on no cookie, so a page learns nothing that it could not fetch itself. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
};

/** A binding whose path serves pages of any origin, errors included: some clients run in a browser. */
export function allowAnyOrigin(binding: Binding): Binding {
  return { ...binding, allowsAnyOrigin: true };
}
