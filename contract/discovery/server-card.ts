import { oauthPaths } from '../oauth/oauth-paths.ts';
import { documentationPath } from '../llms/guides.ts';
import { interfaceVersion } from '../openapi/openapi-document.ts';
import { serverIcons } from './icons.ts';

/** Name and address of an installation. */
export interface Installation {
  brand: string;
  /** Scheme and host of the app, no trailing slash. */
  baseUrl: string;
}

/** Where clients find the card: the place that MCP reserves, and an older one that directories read. */
export const serverCardPaths = [
  `${oauthPaths.mcp}/server-card`,
  '/.well-known/mcp/server-card.json',
] as const;

/** Domain-wide lists of cards: the one of the AI Catalog, and the older one of MCP alone. */
export const catalogPaths = {
  ai: '/.well-known/ai-catalog.json',
  mcp: '/.well-known/mcp/catalog.json',
} as const;

/** Media types of these documents. */
export const serverCardType = 'application/mcp-server-card+json';
export const aiCatalogType = 'application/ai-catalog+json';

/** What the server does, in at most 100 characters (schema of server cards and of the MCP registry). */
export const serverDescription =
  'Publish files and web pages at shareable links, change them, and see how often they are opened.';

/** The protocol versions that `/mcp` speaks, newest first. */
export const protocolVersions = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
] as const;

/** The name of the server below its installation's domain. */
const serverName = 'slipway';

/** Describes the MCP server to clients that have not connected yet (SEP-2127, schema of the extension, v1). */
export function serverCard({ brand, baseUrl }: Installation) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversedHost(baseUrl)}/${serverName}`,
    version: interfaceVersion,
    title: brand,
    description: serverDescription,
    websiteUrl: baseUrl,
    icons: serverIcons(baseUrl),
    remotes: [
      {
        type: 'streamable-http',
        url: baseUrl + oauthPaths.mcp,
        headers: [
          {
            name: 'Authorization',
            description: '`Bearer` and an API key. Without it, connect with OAuth.',
            isRequired: false,
            isSecret: true,
          },
        ],
        supportedProtocolVersions: [...protocolVersions],
      },
    ],
  };
}

/** The catalogue of this domain (AI Catalog, specVersion 1.0): its MCP server. */
export function aiCatalog({ brand, baseUrl }: Installation) {
  return {
    specVersion: '1.0',
    host: { displayName: brand, documentationUrl: baseUrl + documentationPath },
    entries: [{ ...catalogEntry({ brand, baseUrl }), description: serverDescription }],
  };
}

/** The same list in the older format of MCP's own extension. */
export function mcpCatalog(installation: Installation) {
  return { specVersion: 'draft', entries: [catalogEntry(installation)] };
}

function catalogEntry({ brand, baseUrl }: Installation) {
  return {
    identifier: `urn:air:${new URL(baseUrl).hostname}:${serverName}`,
    displayName: brand,
    type: serverCardType,
    url: baseUrl + serverCardPaths[0],
  };
}

/** `com.example.app` for `https://app.example.com`. */
function reversedHost(baseUrl: string): string {
  return new URL(baseUrl).hostname.split('.').toReversed().join('.');
}
