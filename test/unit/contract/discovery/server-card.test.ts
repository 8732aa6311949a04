import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import {
  aiCatalog,
  mcpCatalog,
  protocolVersions,
  serverCard,
  serverDescription,
} from '../../../../contract/discovery/server-card.ts';

const installation = { brand: 'Harbour', baseUrl: 'https://app.example.com' };

/** What the schema of server cards requires (SEP-2127, v1); it accepts no other fields. */
const Card = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'),
  name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  websiteUrl: z.url(),
  icons: z
    .array(z.strictObject({ src: z.url(), mimeType: z.string(), sizes: z.array(z.string()) }))
    .min(1),
  remotes: z.tuple([
    z.strictObject({
      type: z.literal('streamable-http'),
      url: z.url(),
      headers: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          isRequired: z.boolean(),
          isSecret: z.boolean(),
        }),
      ),
      supportedProtocolVersions: z.array(z.string()),
    }),
  ]),
});

test('the card is as the schema of server cards says, under a name of the installation', () => {
  const card = Card.parse(serverCard(installation));
  expect(card.name).toBe('com.example.app/slipway');
  expect(card.title).toBe('Harbour');
  expect(card.remotes[0].url).toBe('https://app.example.com/mcp');
});

test('the local cloud has a valid card too', () => {
  const card = Card.parse(serverCard({ brand: 'Slipway', baseUrl: 'http://localhost:8787' }));
  expect(card.name).toBe('localhost/slipway');
});

test('names the protocol versions that both packages speak', () => {
  expect(protocolVersions).toEqual(['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS]);
  expect(serverDescription.length).toBeLessThanOrEqual(100);
});

test('both catalogues lead to the card, under a name of the domain', () => {
  const entry = {
    identifier: 'urn:air:app.example.com:slipway',
    displayName: 'Harbour',
    type: 'application/mcp-server-card+json',
    url: 'https://app.example.com/mcp/server-card',
  };
  expect(mcpCatalog(installation)).toEqual({ specVersion: 'draft', entries: [entry] });
  expect(aiCatalog(installation)).toMatchObject({
    specVersion: '1.0',
    host: { displayName: 'Harbour' },
    entries: [entry],
  });
});
