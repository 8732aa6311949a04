import * as z from 'zod';
import { operation } from '../operation.ts';

/** `GET /health`: whether the service answers. */
export const health = operation({
  id: 'getHealth',
  group: 'system',
  method: 'GET',
  path: '/health',
  summary: 'Whether the service answers.',
  auth: 'none',
  paid: false,
  body: 'none',
  input: z.object({}),
  output: z.object({ status: z.string(), service: z.string() }),
  envelope: 'bare',
  status: 200,
  errors: [],
  example: { input: {}, output: { status: 'ok', service: 'slipway' } },
});

/** `GET /v1`: version of the interface and where its documentation is. */
export const root = operation({
  id: 'getVersion',
  group: 'system',
  method: 'GET',
  path: '/v1',
  summary: 'Version of this interface and where its documentation is.',
  auth: 'none',
  paid: false,
  body: 'none',
  input: z.object({}),
  output: z.object({ status: z.string(), version: z.string(), docs: z.url() }),
  envelope: 'bare',
  status: 200,
  errors: [],
  example: {
    input: {},
    output: { status: 'ok', version: '1.0.0', docs: 'https://app.example.com/#api' },
  },
});

/** `GET /openapi.json`: this interface as an OpenAPI 3.1 document. */
export const openApi = operation({
  id: 'getOpenApi',
  group: 'system',
  method: 'GET',
  path: '/openapi.json',
  summary: 'This interface as an OpenAPI 3.1 document.',
  auth: 'none',
  paid: false,
  body: 'none',
  input: z.object({}),
  output: z.looseObject({
    openapi: z.literal('3.1.0'),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.unknown()),
  }),
  envelope: 'bare',
  status: 200,
  errors: [],
  example: {
    input: {},
    output: { openapi: '3.1.0', info: { title: 'Slipway', version: '1.0.0' }, paths: {} },
  },
});

/** `GET /llms.txt`: this interface as a text for language models. */
export const llms = operation({
  id: 'getLlmsText',
  group: 'system',
  method: 'GET',
  path: '/llms.txt',
  summary: 'Everything that a program needs to publish, claim and manage, as one text.',
  auth: 'none',
  paid: false,
  body: 'none',
  input: z.object({}),
  output: z.string(),
  envelope: 'bare',
  status: 200,
  mediaTypes: ['text/plain'],
  errors: [],
  example: { input: {}, output: '# Slipway' },
});
