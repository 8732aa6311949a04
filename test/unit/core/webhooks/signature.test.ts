import { expect, test } from '@jest/globals';
import { instant, plusSeconds } from '../../../../core/instants.ts';
import { newWebhookSecret, signatureHeaders } from '../../../../core/webhooks/signature.ts';
import { now } from '../../../fixtures/visits/a-site.ts';

// The example of https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
const at = new Date(1_614_265_330_000);

test('a delivery is signed as Standard Webhooks says', () => {
  expect(signatureHeaders([{ secret, until: null }], message, at)).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('while a secret is replaced, both sign; the former one no more from its end on', () => {
  const [fresh, until] = [newWebhookSecret(), instant(plusSeconds(now, 60))];
  const secrets = [
    { secret: fresh, until: null },
    { secret, until },
  ];
  const signed = (seconds: number) =>
    signatureHeaders(secrets, message, plusSeconds(now, seconds))['webhook-signature'];
  const alone = (one: string, seconds: number) =>
    signatureHeaders([{ secret: one, until: null }], message, plusSeconds(now, seconds))[
      'webhook-signature'
    ];
  expect(signed(59)).toBe(`${alone(fresh, 59)} ${alone(secret, 59)}`);
  expect(signed(60)).toBe(alone(fresh, 60));
});

test('a secret has 256 random bits', () => {
  const [one, other] = [newWebhookSecret(), newWebhookSecret()];
  expect(Buffer.from(one.slice('whsec_'.length), 'base64')).toHaveLength(32);
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(one).not.toBe(other);
});
