import * as z from 'zod';
import { Instant, KeyId, KeyKind, PathId } from '../fields.ts';
import { example } from '../examples.ts';
import { operation } from '../operation.ts';

/** `GET /v1/keys`: the account's keys, newest first; never the keys themselves. */
export const listKeys = operation({
  id: 'listKeys',
  group: 'accounts',
  method: 'GET',
  path: '/v1/keys',
  summary: 'Your API keys, newest first, without their values. Browser session only.',
  auth: 'session',
  paid: false,
  body: 'none',
  input: z.object({}),
  output: z.object({
    keys: z.array(
      z.object({
        id: KeyId,
        name: z.string(),
        kind: KeyKind,
        /** The beginning, to tell keys apart: `sw_live_ab12…`. */
        prefix: z.string(),
        createdAt: Instant,
        /** Noted once an hour. */
        lastUsedAt: Instant.nullable(),
        /** Null for a key that never expires. */
        expiresAt: Instant.nullable(),
      }),
    ),
  }),
  envelope: 'data',
  status: 200,
  errors: [],
  example: {
    input: {},
    output: {
      keys: [
        {
          id: example.keyId,
          name: 'Laptop',
          kind: 'dashboard',
          prefix: 'sw_live_Q2uJ…',
          createdAt: example.at,
          lastUsedAt: null,
          expiresAt: null,
        },
      ],
    },
  },
});

/** `POST /v1/keys`: makes a key that never expires, shown once. */
export const createKey = operation({
  id: 'createKey',
  group: 'accounts',
  method: 'POST',
  path: '/v1/keys',
  summary: 'Make an API key that never expires; shown only once. Browser session only.',
  auth: 'session',
  paid: false,
  body: 'json',
  input: z.object({ name: z.string().trim().min(1).max(100) }),
  output: z.object({
    id: KeyId,
    name: z.string(),
    key: z.string(),
    createdAt: Instant,
    expiresAt: z.null(),
  }),
  envelope: 'data',
  status: 201,
  errors: ['KEY_LIMIT_REACHED'],
  example: {
    input: { name: 'Laptop' },
    output: {
      id: example.keyId,
      name: 'Laptop',
      key: example.apiKey,
      createdAt: example.at,
      expiresAt: null,
    },
  },
});

/** `DELETE /v1/keys/{keyId}`: takes a key away, of either kind; the next request with it is refused. */
export const deleteKey = operation({
  id: 'deleteKey',
  group: 'accounts',
  method: 'DELETE',
  path: '/v1/keys/{keyId}',
  summary: 'Take an API key away; it is refused from the next request on. Browser session only.',
  auth: 'session',
  paid: false,
  body: 'none',
  input: z.object({ keyId: PathId }),
  output: z.object({ deleted: z.boolean() }),
  envelope: 'data',
  status: 200,
  errors: ['NOT_FOUND'],
  example: {
    input: { keyId: example.keyId },
    output: { deleted: true },
  },
});
