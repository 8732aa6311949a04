import type * as z from 'zod';
import type { UploadedFile } from '../../../contract/fields.ts';
import { publishSiteTool } from '../../../contract/tools/publish-site.ts';
import type { AccountCaller } from '../../../core/caller.ts';
import { decodeInlineFiles, decodeInlineZip } from '../../../core/content/inline-files.ts';
import { receivedHash } from '../../../core/content/received-hash.ts';
import { createProject } from '../../../core/projects/publishing/create-project.ts';
import { invalidInput } from '../../http/invalid-input.ts';
import { services } from '../services.ts';
import { publishedAnswer } from './published-answer.ts';

type Input = z.infer<typeof publishSiteTool.input>;

/** Publishes what the call carries as a new project. */
export async function publishSite(caller: AccountCaller, input: Input) {
  checkPassword(input);
  const { files: _, zipBase64: __, ...fields } = input;
  const files = sentFiles(input);
  const created = await createProject(services(), caller, { ...fields, files });
  return publishedAnswer({
    projectId: created.projectId,
    url: created.url,
    version: created.version,
    files: created.fileCount,
    bytes: created.bytes,
    sha256: receivedHash(files),
    expiresAt: created.expiresAt,
    warnings: created.warnings ?? [],
  });
}

function sentFiles({ files, zipBase64 }: Input): UploadedFile[] {
  const isFiles = files !== undefined && files.length > 0;
  if (isFiles === (zipBase64 !== undefined)) {
    throw wrong(
      'files',
      'Send at least one file in `files`, or a ZIP in `zipBase64`, and not both',
    );
  }
  return zipBase64 === undefined ? decodeInlineFiles(files ?? []) : [decodeInlineZip(zipBase64)];
}

/** Who sends a password means to protect the page; publishing it for everybody would be the worst of answers. */
function checkPassword({ access, password }: Input): void {
  if (access === 'password' && password === undefined) {
    throw wrong('password', 'is required when `access` is `password`');
  }
  if (access !== 'password' && password !== undefined) {
    throw wrong(
      'password',
      `has no effect while \`access\` is \`${access}\`: send \`access: password\``,
    );
  }
}

function wrong(path: string, message: string) {
  return invalidInput('INVALID_REQUEST', [{ path, message }]);
}
