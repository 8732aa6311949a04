import * as z from 'zod/mini';
import { ProjectId } from '../../../contract/visits/visit-fields.ts';
import { parseJson } from '../../json.ts';
import { baseName } from '../../content/media-type.ts';
import { maxInlineBytes } from '../decide-visit.ts';
import { epochSeconds } from '../../instants.ts';
import { isSignatureOf, type RotatingSecret, signatureOf } from '../../secrets/rotating-secret.ts';

/** What the tokens of both kinds of links begin with: see {@link OwnLink}. */
const ofLink = [
  z.int(),
  // The host is used as the key of a row before the signature is checked.
  z.string().check(z.minLength(1), z.maxLength(255)),
  ProjectId,
  z.string(),
  z.int(),
  z.int(),
] as const;

/** Then the file's location, its offset there and its size, or the version. */
const FilePayload = z.tuple([...ofLink, z.string(), z.nullable(z.int()), z.int()]);
const ZipPayload = z.tuple([...ofLink, z.int()]);

/** Something of a project that its owner may download until `expires` (epoch seconds, exclusive). */
interface OwnLink {
  /** The bytes that the project's account may download by such links in a day; -1 for no limit. */
  bytesOfDay: number;
  /** The host of its project, whose record says whether the project was taken down. */
  host: string;
  projectId: ProjectId;
  /** The name under which it is saved. */
  name: string;
  expires: number;
  /** Epoch milliseconds. An archive ends the links that were made before it; an export reads archived projects by later ones. */
  madeAt: number;
}

/** One stored file. */
export interface OwnFileLink extends OwnLink {
  location: string;
  /** Where it begins in its pack; `undefined` for an object of its own. */
  offset?: number | undefined;
  /** In bytes. */
  size: number;
}

/** All files of a version as a ZIP. */
export interface OwnZipLink extends OwnLink {
  version: number;
}

/** Where owners download files and ZIPs; the edge sends it to the streaming function. */
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
export function ownFilePath(secret: RotatingSecret, link: OwnFileLink): string {
  const { projectId, location, offset, size } = link;
  const place = isLeftToStorage(link)
    ? `${largeFilePrefix}${projectId}/${location}/`
    : ownFilePrefix;
  return signedPath(secret, place, link, [location, offset ?? null, size]);
}

/** The same for a ZIP. */
export function ownZipPath(secret: RotatingSecret, link: OwnZipLink): string {
  return signedPath(secret, ownFilePrefix, link, [link.version]);
}

function signedPath(
  secret: RotatingSecret,
  place: string,
  { bytesOfDay, host, projectId, name, expires, madeAt }: OwnLink,
  what: (string | number | null)[],
): string {
  const fields = [bytesOfDay, host, projectId, name, expires, madeAt, ...what];
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
  const end = encodeURIComponent(baseName(name));
  return `${place}${payload}.${signatureOf(secret, 'own-file', payload)}/${end}`;
}

/** Parses a raw path without checking its signature; `undefined` if it is not the path of a link. */
export function parseOwnFilePath(path: string): ClaimedLink | undefined {
  const token = path.split('/').at(-2) ?? '';
  const [, payload = '', signature = ''] = /^([\w-]+)\.([\w-]{43})$/.exec(token) ?? [];
  const link = readPayload(parseJson(Buffer.from(payload, 'base64url').toString()));
  return link && { link, payload, signature };
}

function readPayload(fields: unknown): OwnFileLink | OwnZipLink | undefined {
  const file = FilePayload.safeParse(fields).data;
  const zip = ZipPayload.safeParse(fields).data;
  const found = file ?? zip;
  if (found === undefined) return undefined;
  const [bytesOfDay, host, projectId, name, expires, madeAt] = found;
  const link = { bytesOfDay, host, projectId, name, expires, madeAt };
  if (file !== undefined) {
    const [, , , , , , location, offset, size] = file;
    return { ...link, location, offset: offset ?? undefined, size };
  }
  return zip && { ...link, version: zip[6] };
}

/** A parsed link whose signature is not checked. */
export interface ClaimedLink {
  link: OwnFileLink | OwnZipLink;
  payload: string;
  signature: string;
}

/** Whether a link is ours and has not ended. */
export function isOwnFileLink(
  secret: RotatingSecret,
  { link, payload, signature }: ClaimedLink,
  now: Date,
): boolean {
  const isOurs = isSignatureOf(secret, 'own-file', payload, signature);
  return isOurs && link.expires > epochSeconds(now);
}
