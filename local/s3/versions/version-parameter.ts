import { S3Error } from '../protocol/s3-error.ts';
import { queryValue, type S3Request } from '../protocol/s3-request.ts';
import { isVersionId } from './stored-version.ts';

/** The version that a request names; `InvalidArgument` unless it has the form of an id. */
export function versionParameter(request: S3Request): string | undefined {
  const versionId = queryValue(request, 'versionId');
  return versionId === undefined ? undefined : parseVersionId(versionId);
}

export function parseVersionId(text: string): string {
  if (isVersionId(text)) return text;
  throw new S3Error('InvalidArgument', 'Invalid version id specified', {
    ArgumentName: 'versionId',
    ArgumentValue: text,
  });
}
