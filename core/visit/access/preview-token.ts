import { createHmac } from 'node:crypto';
import type { ProjectId } from '../../../contract/fields.ts';
import { epochSeconds } from '../../instants.ts';
import { isSignedWith, type RotatingSecret } from '../../secrets/rotating-secret.ts';

/** What a preview link shows, and until when. */
export interface Preview {
  projectId: ProjectId;
  version: number;
  /** Whole seconds since 1970; the second itself is too late. */
  expires: number;
}

/** As the edge function takes it from a cookie: `<project>.<version>.<expires>.<HMAC-SHA256>`. */
const shape = /^([0-9a-f-]{36})\.([1-9]\d{0,8})\.(\d{10})\.([\w-]{43})$/;

/** The token of a preview link; nobody can make one without the secret. */
export function previewToken({ current }: RotatingSecret, preview: Preview): string {
  return `${textOf(preview)}.${signatureOf(current, preview)}`;
}

/** What a token shows, if it is ours, for this project and still good; `undefined` otherwise. */
export function readPreviewToken(
  secret: RotatingSecret,
  token: string,
  projectId: ProjectId,
  now: Date,
): Preview | undefined {
  const [, project, version, expires, signature = ''] = shape.exec(token) ?? [];
  const preview = { projectId, version: Number(version), expires: Number(expires) };
  if (project !== projectId || preview.expires <= epochSeconds(now)) return undefined;
  const isOurs = isSignedWith(secret, signature, (value) => signatureOf(value, preview));
  return isOurs ? preview : undefined;
}

/** The secret signs other things too: what is signed says that it is a preview. */
function signatureOf(secret: string, preview: Preview): string {
  return createHmac('sha256', secret)
    .update(`preview\n${textOf(preview)}`)
    .digest('base64url');
}

function textOf({ projectId, version, expires }: Preview): string {
  return `${projectId}.${version}.${expires}`;
}
