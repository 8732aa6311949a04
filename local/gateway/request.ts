import { randomBytes, randomUUID } from 'node:crypto';
import type { GatewayCall } from './definition/api-model.ts';

/** Assigns ids to a request; keeps the trace root that the client sent. */
export function gatewayCall(
  base: Pick<GatewayCall, 'api' | 'domainName' | 'request'>,
  receivedAt: Date,
): GatewayCall {
  const seconds = Math.floor(receivedAt.getTime() / 1000).toString(16);
  const sent = /Root=1-[0-9a-f]{8}-[0-9a-f]{24}/.exec(
    base.request.headers['x-amzn-trace-id'] ?? '',
  );
  return {
    ...base,
    receivedAt,
    requestId: randomUUID(),
    extendedRequestId: `${randomBytes(11).toString('base64url')}=`,
    traceId: sent?.[0] ?? `Root=1-${seconds}-${randomBytes(12).toString('hex')}`,
  };
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The request time in the log format of the service: `21/Nov/2026:08:56:55 +0000`. */
export function requestTime(receivedAt: Date): string {
  const [date = '', time = ''] = receivedAt.toISOString().split('T');
  const month = months[receivedAt.getUTCMonth()];
  return `${date.slice(8)}/${month}/${date.slice(0, 4)}:${time.slice(0, 8)} +0000`;
}

/**
 * The query as the service passes it to functions: decoded once, `+` is a space, `;` separates like `&`.
 * A `%` without a valid escape stays, and invalid UTF-8 becomes U+FFFD.
 */
export function queryParameters(query: string): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  for (const part of query.split(/[&;]/)) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = equals === -1 ? '' : decode(part.slice(equals + 1));
    parameters.set(name, [...(parameters.get(name) ?? []), value]);
  }
  return parameters;
}

function decode(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (escapes) =>
      Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
    );
}

/** The first media type of a `Content-Type` or `Accept` value, without parameters, in lower case. */
export function firstMediaType(header: string | undefined): string {
  return (header ?? '').split(',', 1)[0]?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Whether the API treats the media type as binary. Parameters such as a multipart boundary are
 * ignored, and only the first type of an `Accept` list counts, as the service documents.
 */
export function isBinary(header: string | undefined, binaryMediaTypes: readonly string[]): boolean {
  const mediaType = firstMediaType(header);
  return binaryMediaTypes.some((binary) => {
    const type = firstMediaType(binary);
    if (type === '*/*' || type === mediaType) return true;
    return type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1));
  });
}
