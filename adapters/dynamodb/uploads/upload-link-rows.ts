import * as z from 'zod';
import type { AccountId } from '../../../contract/fields.ts';
import { UploadLinkId } from '../../../core/upload-links/upload-link.ts';

export const linkKey = (tokenHash: string) => ({ pk: `LINK#${tokenHash}`, sk: 'LINK' });

export const listedKey = (accountId: AccountId, id: string) => ({
  pk: `ACCOUNT#${accountId}`,
  sk: `LINK#${id}`,
});

/** A link in its owner's list; `isUsed` until an upload in storage that used it has failed. */
export const ListedRow = z.object({
  id: UploadLinkId,
  tokenHash: z.string(),
  isUsed: z.optional(z.literal(true)),
});
