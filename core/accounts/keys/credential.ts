import * as z from 'zod';
import { GrantId } from '../../oauth/grant.ts';

/** What authorizes a caller to act for an account: an API key, a browser's session, or the grant of a connected app. */
export const Credential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key'), keyHash: z.string() }),
  z.object({ kind: z.literal('session'), tokenHash: z.string() }),
  z.object({ kind: z.literal('app'), grantId: GrantId }),
]);
export type Credential = z.infer<typeof Credential>;
