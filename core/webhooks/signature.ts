import { createHmac, randomBytes } from 'node:crypto';
import { epochSeconds } from '../instants.ts';
import type { WebhookSecret } from './webhook.ts';

const prefix = 'whsec_';

/** A new secret: 256 random bits in base64, marked as the secret of a webhook (Standard Webhooks, "Signature scheme"). */
export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

interface SignedMessage {
  id: string;
  body: string;
}

/**
 * The headers by which a receiver checks a delivery (Standard Webhooks): a signature of id, time and body with each
 * secret that is valid now, the newest first. Pure.
 */
export function signatureHeaders(
  secrets: readonly WebhookSecret[],
  { id, body }: SignedMessage,
  now: Date,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(epochSeconds(now));
  const valid = secrets.filter(({ until }) => until === null || new Date(until) > now);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': valid
      .map(({ secret }) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`)
      .join(' '),
  };
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
