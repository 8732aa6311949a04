import type * as z from 'zod';
import type { updateProjectFilesTool } from '../../../contract/tools/update-project-files.ts';
import type { AccountCaller } from '../../../core/caller.ts';
import { decodeInlineFiles } from '../../../core/content/inline-files.ts';
import { receivedHash } from '../../../core/content/received-hash.ts';
import { updateFiles } from '../../../core/projects/versions/update-files.ts';
import { services } from '../services.ts';
import { publishedAnswer } from './published-answer.ts';

/** Publishes a new version of a project from what the call carries. */
export async function changeFiles(
  caller: AccountCaller,
  input: z.infer<typeof updateProjectFilesTool.input>,
) {
  const files = decodeInlineFiles(input.files ?? []);
  const updated = await updateFiles(services(), caller, { ...input, files });
  return publishedAnswer({
    projectId: updated.projectId,
    url: updated.url,
    version: updated.version,
    files: updated.fileCount,
    bytes: updated.bytes,
    sha256: receivedHash(files),
    expiresAt: updated.expiresAt,
    warnings: updated.warnings ?? [],
  });
}
