import { privatePaths } from '../../core/content/left-out/sift-paths.ts';
import { readManifest } from '../../core/projects/versions/kept-versions.ts';
import { refuseVisit } from '../../core/visit/refuse-visit.ts';
import { type Diagnosis, ok, problem, type ServedSites, unknown, warning } from './diagnosis.ts';

/** A message names this many addresses and counts the others. */
const namedSites = 20;
/** At most this many sites are examined, because each may take a read of storage. */
const maxSites = 50_000;

const privateFiles: Diagnosis = {
  name: 'private-files',
  actions: ['cloudformation:DescribeStacks', 'dynamodb:Scan', 's3:GetObject'],
  async run({ servedSites, now }) {
    const served = await servedSites();
    if (served === undefined) return [];
    const { examined, found, unreadable, isWhole } = await findPrivateFiles(served, now());
    const rest = [
      ...(unreadable.length === 0 ? [] : [brokenRows(unreadable)]),
      ...(isWhole
        ? []
        : [
            unknown(
              `Only ${examined} live projects were looked at for private files.`,
              'Owners see those of a project in its view Files.',
            ),
          ]),
    ];
    const [first] = found;
    if (first === undefined)
      return [ok(`None of ${examined} live projects shows private files.`), ...rest];
    return [
      warning(
        `${found.length} of ${examined} live projects show .env, .git or private keys to their visitors: ${named(found)}.`,
        `Tell their owners to replace these keys and to publish without the files, which the view Files names. Until then: npm run admin -- takedown ${first} --reason "…"`,
      ),
      ...rest,
    ];
  },
};

function named(hosts: readonly string[]): string {
  const more = hosts.length > namedSites ? ` and ${hosts.length - namedSites} more` : '';
  return `${hosts.slice(0, namedSites).join(', ')}${more}`;
}

/** Rows that no code of ours writes; their visitors get an error. */
function brokenRows(hosts: readonly string[]) {
  return problem(
    `${hosts.length} addresses cannot be served, because their rows in the table of sites cannot be read: ${named(hosts)}.`,
    'Take these rows from a backup (docs/runbook.md), or let their owners change a setting of the project, which writes its row anew.',
  );
}

/**
 * The addresses of live projects with files that hardly anybody means to publish, among the first {@link maxSites}.
 */
async function findPrivateFiles({ pages, content }: ServedSites, now: Date) {
  const found: string[] = [];
  const unreadable: string[] = [];
  let examined = 0;
  for await (const page of pages) {
    if (examined >= maxSites) return { examined, found, unreadable, isWhole: false };
    unreadable.push(...page.unreadable);
    const live = page.sites.filter((site) => {
      const refusal = refuseVisit(site, 'owner', now);
      return refusal === undefined || refusal.kind === 'resting';
    });
    const hosts = live.map(async (site) => {
      const files = await readManifest(content, site.projectId, site);
      return privatePaths([...(files?.keys() ?? [])]).length === 0 ? [] : [site.host];
    });
    found.push(...(await Promise.all(hosts)).flat());
    examined += live.length;
  }
  return { examined, found, unreadable, isWhole: true };
}

/** What the stage shows to its visitors. */
export const contentDiagnoses: readonly Diagnosis[] = [privateFiles];
