import type { AccountCaller } from '../../../core/caller.ts';
import { createUploadLink } from '../../../core/upload-links/create-upload-link.ts';
import { services } from '../services.ts';

/** A link for one upload, and both ways to use it. */
export async function uploadLink(
  caller: AccountCaller,
  input: { title?: string | undefined; projectId?: string | undefined },
) {
  const output = await createUploadLink(services(), caller, input);
  const { pageUrl, curl, expiresAt, maxBytes } = output;
  return {
    output,
    text: `${pageUrl}\nA page for a person to drop files on; larger files too. Works once, until ${expiresAt}; the upload itself publishes.\nWith a shell instead, up to ${maxBytes} bytes: ${curl}`,
  };
}
