import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { ProjectId } from '../../../contract/visits/visit-fields.ts';
import { baseName } from '../../content/media-type.ts';
import { maxInlineBytes } from '../decide-visit.ts';
import { epochSeconds } from '../../instants.ts';
import { isSignedWith, type RotatingSecret } from '../../secrets/rotating-secret.ts';

/**
 * The fields of a token, in this order: how many bytes the account may download in a day, the host
 * and the id of the project, the file's location and its offset there, its size in bytes, its name,
 * the expiry, and when it was made.
 */
const Payload = z.tuple([
  z.int(),
  // The host is used as the key of a row before the signature is checked.
  z.string().check(z.minLength(1), z.maxLength(255)),
  ProjectId,
  z.string(),
  z.nullable(z.int()),
  z.int(),
  z.string(),
  z.int(),
  z.int(),
]);

/** One stored file that an owner may download until `expires` (epoch seconds, exclusive). */
export interface OwnFileLink {
  /** The bytes that the project's account may download by such links in a day; -1 for no limit. */
  bytesOfDay: number;
  /** The host of its project, whose record says whether the project was taken down. */
  host: string;
  projectId: ProjectId;
  location: string;
  /** Where it begins in its pack; `undefined` for an object of its own. */
  offset?: number | undefined;
  /** In bytes. */
  size: number;
  name: string;
  expires: number;
  /** Epoch milliseconds. An archive ends the links that were made before it; an export reads archived projects by later ones. */
  madeAt: number;
}

/** Where owners download single files; the edge sends it to the streaming function. */
const ownFilePrefix = '/_slipway/own/';
/** The same for large files, which storage sends: the address names the object. */
const largeFilePrefix = '/_slipway/download/';

export function isOwnFilePath(path: string): boolean {
  return path.startsWith(ownFilePrefix) || path.startsWith(largeFilePrefix);
}

/** Whether storage sends a file: it is too large for a function, and so it is never in a pack. */
export function isLeftToStorage({ size, offset }: Pick<OwnFileLink, 'size' | 'offset'>): boolean {
  return size > maxInlineBytes && offset === undefined;
}

/**
 * `/_slipway/own/<payload>.<HMAC-SHA256>/<name>`, or `/_slipway/download/<object>/<payload>.<HMAC-SHA256>/<name>`:
 * the last part is for people and for programs that save under it.
 */
export function ownFilePath({ current }: RotatingSecret, link: OwnFileLink): string {
  const { bytesOfDay, host, projectId, location, offset, size, name, expires, madeAt } = link;
  const stored = [host, projectId, location, offset ?? null, size];
  const file = JSON.stringify([bytesOfDay, ...stored, name, expires, madeAt]);
  const payload = Buffer.from(file).toString('base64url');
  const end = encodeURIComponent(baseName(name));
  const place = isLeftToStorage(link)
    ? `${largeFilePrefix}${projectId}/${location}/`
    : ownFilePrefix;
  return `${place}${payload}.${signatureOf(current, payload)}/${end}`;
}

/** Parses a raw path without checking its signature; `undefined` if it is not the path of a link. */
export function parseOwnFilePath(path: string): ClaimedLink | undefined {
  const token = path.split('/').at(-2) ?? '';
  const [, payload = '', signature = ''] = /^([\w-]+)\.([\w-]{43})$/.exec(token) ?? [];
  const parsed = Payload.safeParse(parseJson(Buffer.from(payload, 'base64url').toString()));
  if (!parsed.success) return undefined;
  const [bytesOfDay, host, projectId, location, offset, size, name, expires, madeAt] = parsed.data;
  const place = { host, projectId, location, offset: offset ?? undefined, size };
  return { link: { bytesOfDay, ...place, name, expires, madeAt }, payload, signature };
}

/** A parsed link whose signature is not checked. */
export interface ClaimedLink {
  link: OwnFileLink;
  payload: string;
  signature: string;
}

/** Whether a link is ours and has not ended. */
export function isOwnFileLink(
  secret: RotatingSecret,
  { link, payload, signature }: ClaimedLink,
  now: Date,
): boolean {
  const isOurs = isSignedWith(secret, signature, (value) => signatureOf(value, payload));
  return isOurs && link.expires > epochSeconds(now);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The prefix separates these signatures from others that use the same secret. */
function signatureOf(secret: string, payload: string): string {
  return createHmac('sha256', secret).update(`own-file\n${payload}`).digest('base64url');
}
