import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { oauthScopes } from '../../contract/oauth/oauth.ts';
import { oauthPaths } from '../../contract/oauth/oauth-paths.ts';
import { tools } from '../../contract/tools.ts';
import { authorizationProblemPage } from '../../web/pages/oauth/authorization-problem-page.ts';
import { realClients } from '../fixtures/agents/oauth-clients.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const connect = read('docs/connect.md');
const interop = read('docs/interop.md');

describe('docs/connect.md', () => {
  test('names every tool and no other', () => {
    const [section = ''] = connect.split('\n## ');
    const named = [...section.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(tools.map(({ name }) => name)));
  });

  test('names every scope and no other', () => {
    const named = [...connect.matchAll(/^\| `(\w+:\w+)` \|/gm)].map(([, scope]) => scope);
    expect(named).toEqual(oauthScopes);
  });

  test('has settings that are JSON, each with the address of the endpoint', () => {
    const settings = [...connect.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json);
    expect(settings.length).toBeGreaterThan(4);
    for (const json of settings)
      expect(JSON.stringify(JSON.parse(json))).toContain(
        `https://app.example.com${oauthPaths.mcp}"`,
      );
  });

  test.each(['unknown-client', 'unknown-redirect', 'refused-redirect', 'begin-again'] as const)(
    'quotes the title of the page %s as it is',
    (kind) => {
      const { title } = /<h1>(?<title>[^<]+)<\/h1>/.exec(
        JSON.stringify(authorizationProblemPage({ brand: 'Slipway', kind })),
      )?.groups ?? { title: '?' };
      expect(connect).toContain(`"${title}"`);
    },
  );
});

test.each(realClients.map(({ name }) => name))('docs/interop.md tells of %s', (name) => {
  expect(interop).toContain(name);
});
