import type { WebhookClient } from '../../core/webhooks/send-deliveries.ts';
import { slowMilliseconds } from '../../core/webhooks/slow-webhooks.ts';
import { publicConnections } from './client-documents.ts';
import { type Connections, connections } from './http-exchange.ts';
import { reasonOf } from './reason-of.ts';

const maxBytes = 1000;
/** A timer may fire a millisecond early. */
const timerErrorMs = 5;
const timeouts = { connectMs: 5000, silenceMs: 10_000, totalMs: 10_000 };

/**
 * Posts to addresses that strangers chose: public ones alone, without redirects, for ten seconds at most. Reads the
 * beginning of the answer. The local cloud allows http, to the own computer alone.
 */
export function webhookClient(
  over: () => Connections = publicConnections,
  ofLaptop: () => Connections = connections,
): WebhookClient {
  return {
    async post(url, { headers: signed, body }, mayGoOn) {
      const begun = performance.now();
      const took = () => Math.round(performance.now() - begun);
      let isEnded = false;
      // Closed after each request: a host of a stranger must not hold connections of this process.
      const own = url.protocol === 'https:' ? over() : ofLaptop();
      const headers = {
        ...signed,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'accept-encoding': 'identity',
        'user-agent': 'Slipway-Webhooks/1',
      };
      const end = () => {
        isEnded = true;
        own.close();
      };
      const slow = setTimeout(
        () => void mayGoOn().then((may) => may || end(), end),
        slowMilliseconds + timerErrorMs,
      );
      try {
        const request = { url, method: 'POST', headers, body, maxBytes, isCut: true };
        const { status, headers: answered, body: start } = await own.exchange(request, timeouts);
        const [retryAfter] = /^\d{1,9}$/.exec(answered['retry-after'] ?? '') ?? [];
        const result = { milliseconds: took(), status, body: start.toString('utf8') };
        return { ...result, ...(retryAfter && { retryAfterSeconds: Number(retryAfter) }) };
      } catch (error) {
        return {
          milliseconds: took(),
          status: null,
          body: isEnded ? ended : reasonOf(error, timedOut),
        };
      } finally {
        clearTimeout(slow);
        own.close();
      }
    },
  };
}

const ended = 'there was no answer within two seconds, and other slow answers were waited for';
const timedOut = 'there was no answer within ten seconds';
