import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Check } from '../check.ts';
import { expectJson, expectStatus, expectText, expectThat, Skipped } from '../expectations.ts';
import { jsonBody } from '../http-client.ts';
import { siteFiles, type SmokeStage } from '../smoke-stage.ts';

const Domains = z.object({
  data: z.object({
    domains: z.array(z.object({ id: z.string(), domain: z.string(), status: z.string() })),
  }),
});

/** A custom domain of the key's account that serves. */
async function servedDomain(stage: SmokeStage): Promise<string> {
  const answer = await stage.sendWithKey('/v1/domains');
  if (answer.status === 403) throw new Skipped('the account’s plan includes no custom domains');
  const { domains } = expectJson(expectStatus(answer, 200), Domains).data;
  const served = domains.find(({ status }) => status === 'ssl_active');
  if (served === undefined)
    throw new Skipped('no custom domain of the account is ssl_active; add one and set its records');
  return served.id;
}

const customDomain: Check = {
  name: 'custom-domain',
  why: 'Sites at customers’ domains do not open, show old files, or show the API.',
  needs: 'key',
  async run(stage) {
    const { projectId, url } = await stage.publish(siteFiles, {
      domainId: await servedDomain(stage),
    });
    await stage.eventually(async () => expectStatus(await stage.send(`${url}/`), 200));
    for (let visit = 0; visit < 2; visit += 1) {
      const { headers } = expectStatus(await stage.send(`${url}/style.css`), 200);
      const isKept = String(headers['x-cache']).startsWith('Hit');
      expectThat(!isKept, 'the edge keeps a file that it is never told to forget');
    }
    // A firewall knows sites by what they are not: the app.
    expectStatus(await stage.send(`${url}/?q=%3Cscript%3Ealert(1)%3C/script%3E`), 200);
    // CloudFront refuses a POST to a site with 403. A 401 would be the API's answer, so the request went to the
    // wrong origin.
    expectStatus(await stage.send(`${url}/v1/user`, { method: 'POST' }), 403);
    const missing = expectStatus(await stage.send(url.replace('://', '://nobody-')), 404);
    expectText(missing, 'There is nothing at this address');
    // Its slug may be taken beneath the sites domain.
    const slug = `smoke-${randomUUID().slice(0, 8)}`;
    const back = jsonBody({ domainId: null, slug }, 'PATCH');
    expectStatus(await stage.sendWithKey(`/v1/projects/${projectId}`, back), 200);
    await stage.eventually(async () => expectStatus(await stage.send(`${url}/`), 404));
  },
};

/** Custom domains, where the key's account has one. */
export const domainChecks: readonly Check[] = [customDomain];
