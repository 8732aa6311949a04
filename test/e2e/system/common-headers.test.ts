import { beforeAll, expect, test } from '@jest/globals';
import { commonHeaders } from '../../../contract/common-headers.ts';
import { ask, baseUrl, file, published } from '../../fixtures/clouds/client.ts';

let site: string;
let single: string;

beforeAll(async () => {
  site = await published([file('index.html', '<h1>Home</h1>')]);
  single = await published([file('app.ts', 'const a = 1;')]);
});

test.each<[string, () => [url: string, init?: { method?: string }], number]>([
  ['a page of the app', () => [`${baseUrl}/`], 200],
  ['JSON of the API', () => [`${baseUrl}/health`], 200],
  ['a refusal of a function', () => [`${baseUrl}/v1/projects`], 401],
  ['a refusal of API Gateway', () => [`${baseUrl}/v1/nothing`], 404],
  ['a preflight', () => [`${baseUrl}/mcp`, { method: 'OPTIONS' }], 204],
  ['a page of a site', () => [`${site}/`], 200],
  ['a missing page of a site', () => [`${site}/nothing.html`], 404],
  ['a viewer page', () => [`${single}/`], 200],
  ['a file of a project', () => [`${single}/app.ts`], 200],
  ['a missing file of ours', () => [`${single}/_slipway/assets/nothing.js`], 404],
  ['a visitors’ form', () => [`${site}/_slipway/report`], 200],
  ['a missing ZIP', () => [`${site}/_slipway/zip`], 404],
  ['a refusal of the edge', () => [`${site}/_slipway/report`, { method: 'PUT' }], 405],
])('%s has the headers of every response', async (_, request, status) => {
  const answer = await ask(...request());
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject(commonHeaders);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-amz-meta-'))).toEqual([]);
});

test('only hosts of ours tell browsers to use TLS for a year', async () => {
  for (const path of ['/', '/health', '/v1/projects', '/v1/nothing', '/mcp', '/dashboard/']) {
    const { headers } = await ask(baseUrl + path);
    expect([path, headers['strict-transport-security']]).toEqual([path, 'max-age=31536000']);
  }
  expect((await ask(`${site}/`)).headers).not.toHaveProperty('strict-transport-security');
});
