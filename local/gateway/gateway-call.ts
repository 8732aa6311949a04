import { randomBytes, randomUUID } from 'node:crypto';
import type { GatewayCall } from './definition/api-model.ts';

/** Gives a request its ids; a trace root that the client sent is kept. */
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
