import * as z from 'zod';
import { example } from '../examples.ts';
import { Instant, PathId, ProjectId } from '../fields.ts';
import { operation } from '../operation.ts';

const Count = z.int();
const Figures = z.object({ total: Count, last24h: Count, last7d: Count });

/** Analytics of a project (docs/contract.md, "Opens and visits"). */
export const ProjectOpens = z.object({
  projectId: ProjectId,
  analyticsEnabled: z.boolean(),
  opens: Figures,
  lastOpenedAt: z.nullable(Instant),
  recentOpens: z.array(
    z.object({
      at: Instant,
      country: z.string().nullable(),
      device: z.string().nullable(),
      browser: z.string().nullable(),
      os: z.string().nullable(),
      /** The host of the page that led here; a visitor may send any. */
      referrer: z.string().nullable(),
      /** The name of the share link by which the visitor came. */
      link: z.string().nullable(),
      /** The address that the visitor proved; present only where the project asked for one. */
      email: z.string().optional(),
    }),
  ),
  topCountries: z.array(z.object({ country: z.string(), opens: Count })),
  visits: Figures,
  ownerOpens: z.object({ total: Count }),
});

/** `GET /v1/projects/{projectId}/analytics`: opens and visits of a project. */
export const getProjectOpens = operation({
  id: 'getProjectOpens',
  group: 'analytics',
  route: 'GET /v1/projects/{projectId}/analytics',
  summary:
    'Analytics of a project. `opens` counts people who viewed it in a browser, without the owner. `visits` counts all page requests except those of known bots.',
  auth: 'key',
  paid: true,
  input: z.object({ projectId: PathId }),
  output: ProjectOpens,
  errors: ['NOT_FOUND'],
  example: {
    input: { projectId: example.projectId },
    output: {
      projectId: ProjectId.parse(example.projectId),
      analyticsEnabled: true,
      opens: { total: 2, last24h: 1, last7d: 2 },
      lastOpenedAt: example.later,
      recentOpens: [
        {
          at: example.later,
          country: 'NO',
          device: 'mobile',
          browser: 'Safari',
          os: 'iOS',
          referrer: 'mail.example.org',
          link: 'Anna, Example Ltd',
        },
        {
          at: example.at,
          country: null,
          device: 'desktop',
          browser: 'Firefox',
          os: 'Linux',
          referrer: null,
          link: null,
        },
      ],
      topCountries: [{ country: 'NO', opens: 1 }],
      visits: { total: 5, last24h: 2, last7d: 5 },
      ownerOpens: { total: 3 },
    },
  },
});

/** `GET /v1/projects/{projectId}/analytics/hits.csv`: every hit of the last 90 days with its outcome. */
export const listProjectHits = operation({
  id: 'listProjectHits',
  group: 'analytics',
  route: 'GET /v1/projects/{projectId}/analytics/hits.csv',
  summary:
    'Every page request of the last 90 days as CSV, newest first. `outcome` is `open`, or the reason why the request was not counted as one. The `Link` header with `rel="next"` gives the address of the next page.',
  auth: 'key',
  paid: true,
  input: z.object({
    projectId: PathId,
    limit: z.coerce.number().int().min(1).max(5000).default(1000),
    /** Returns older hits only; the value comes from the `Link` header of the previous page. */
    before: z.string().max(128).optional(),
  }),
  output: z.string(),
  envelope: 'bare',
  mediaTypes: ['text/csv'],
  errors: ['NOT_FOUND'],
  example: {
    input: { projectId: example.projectId, limit: 1000 },
    output: `at,outcome,path,country,device,browser,os,referrer,link,email\r\n${example.at},open,/,NO,mobile,Safari,iOS,,,\r\n`,
  },
});
