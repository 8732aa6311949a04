import * as z from 'zod';
import { operation } from '../operation.ts';

/** `GET /health`: health check. */
export const getHealth = operation({
  id: 'getHealth',
  group: 'system',
  route: 'GET /health',
  summary: 'Check whether the service is available.',
  auth: 'none',
  input: z.object({}),
  output: z.object({ status: z.string(), service: z.string() }),
  envelope: 'bare',
  example: { input: {}, output: { status: 'ok', service: 'slipway' } },
});

/** `GET /v1`: the version of the interface and the address of its documentation. */
export const getVersion = operation({
  id: 'getVersion',
  group: 'system',
  route: 'GET /v1',
  summary: 'The version of this interface and the address of its documentation.',
  auth: 'none',
  input: z.object({}),
  output: z.object({ status: z.string(), version: z.string(), docs: z.url() }),
  envelope: 'bare',
  example: {
    input: {},
    output: { status: 'ok', version: '1.0.0', docs: 'https://app.example.com/docs' },
  },
});

/** `GET /openapi.json`: this interface as an OpenAPI 3.1 document. */
export const getOpenApi = operation({
  id: 'getOpenApi',
  group: 'system',
  route: 'GET /openapi.json',
  summary: 'This interface as an OpenAPI 3.1 document.',
  auth: 'none',
  input: z.object({}),
  output: z.looseObject({
    openapi: z.literal('3.1.0'),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.unknown()),
  }),
  envelope: 'bare',
  example: {
    input: {},
    output: { openapi: '3.1.0', info: { title: 'Slipway', version: '1.0.0' }, paths: {} },
  },
});

const llmsText = {
  group: 'system',
  auth: 'none',
  input: z.object({}),
  output: z.string(),
  envelope: 'bare',
  mediaTypes: ['text/plain'],
  example: { input: {}, output: '# Slipway' },
} as const;

/** `GET /llms.txt`: an index of the documentation for language models. */
export const getLlmsText = operation({
  ...llmsText,
  id: 'getLlmsText',
  route: 'GET /llms.txt',
  summary: 'A short index of the documentation for language models, and how to start.',
});

/** `GET /llms-full.txt`: this interface as one text for language models. */
export const getLlmsFullText = operation({
  ...llmsText,
  id: 'getLlmsFullText',
  route: 'GET /llms-full.txt',
  summary: 'This interface as one text for language models.',
});
