import type { ProjectId } from '../../contract/fields.ts';
import type { MaybeAccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { failingAsUpload } from '../projects/publishing/failing-as-upload.ts';
import { prepareStored } from '../content/prepare-stored.ts';
import {
  type PreparedUpload,
  prepareUpload,
  type Upload,
  type UploadLimits,
} from '../content/prepare-upload.ts';
import {
  closeParts,
  endPublished,
  giveBack,
  openUpload,
  type OpenUploadDeps,
} from './open-upload.ts';
import type { LargeUpload } from './upload.ts';

/** Files in the request, or the id of an upload that went straight to storage. */
export interface AnyUpload extends Upload {
  uploadId?: string | undefined;
}

/** An upload understood, and the one in storage that it is. */
export interface Understood {
  upload: PreparedUpload;
  large: LargeUpload | undefined;
}

/** What was made of an upload; `publishedAs` unless a worker goes on with it. */
export interface Used<T> {
  result: T;
  publishedAs: ProjectId | undefined;
}

/**
 * Understands an upload, wherever its bytes are, and has it used once; one in storage may be used
 * again when that is refused. Of another failure nobody knows whether a worker has it already.
 * @throws CodedError those of prepareUpload, prepareStored and openUpload; what `use` throws
 */
export async function withUpload<T>(
  deps: OpenUploadDeps,
  caller: MaybeAccountCaller,
  { input, limits }: { input: AnyUpload; limits: UploadLimits },
  use: (understood: Understood) => Promise<Used<T>>,
): Promise<T> {
  if (input.uploadId === undefined) {
    const upload = await prepareUpload(input, limits);
    return (await use({ upload, large: undefined })).result;
  }
  const taken = await openUpload(deps, caller, input.uploadId);
  const { upload: large, stored } = taken;
  try {
    const upload = await failingAsUpload(caller, async () => {
      await closeParts(deps, taken);
      return prepareStored(stored, input, limits);
    });
    const { result, publishedAs } = await use({ upload, large });
    const { fileCount, bytes } = upload;
    if (publishedAs !== undefined) {
      await endQuietly(deps, large, { projectId: publishedAs, fileCount, bytes });
    }
    return result;
  } catch (error) {
    if (error instanceof CodedError) await giveBack(deps, large);
    throw error;
  }
}

/** It is published: a failure here is the sweep's to finish. */
async function endQuietly(
  deps: OpenUploadDeps,
  { uploadId }: LargeUpload,
  published: Parameters<typeof endPublished>[2],
): Promise<void> {
  try {
    await endPublished(deps, { uploadId }, published);
  } catch (error) {
    deps.onFailure({ kind: 'upload', uploadId }, error);
  }
}
