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
});
